"""Does a database from before stay what it was?"""

import sqlite3
from pathlib import Path

from tests.site.running import manage, serving

OLD = ("K7QPX", "ZZ234")


def test_tables_from_before_there_were_two_codes_keep_theirs(tmp_path: Path) -> None:
    where = {"DATA_DIR": str(tmp_path)}
    done = manage("migrate", "sheets", "0009", "--verbosity=0", **where)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "dizzle.sqlite3") as database:
        for code in OLD:
            database.execute(
                "INSERT INTO sheets_table (code, level_id, level, game, target, has_handicap, dice,"
                " host, has_started, revision, length, next_code, touched)"
                " VALUES (?, '', '{}', 'square', 0, 0, 'typed', 0, 0, 3, 0, ?, '2020-01-01')",
                (code, OLD[1] if code == OLD[0] else ""),
            )
        database.execute(
            "INSERT INTO sheets_seat (table_id, number, name, token_digest, rescue_digest, bot)"
            " SELECT id, 0, 'Ana', '', '', '' FROM sheets_table"
        )
    database.close()
    with serving(tmp_path) as site:
        for code in OLD:
            for typed in (code, code.lower()):
                page = site.ask(f"/table/{typed}/")
                assert page.status == 200
                assert f'class="code">{code}<' in page.text
