"""Does a database from before stay what it was?"""

import sqlite3
from pathlib import Path

import pytest

from tests.site.running import manage, serving

OLD = ("K7QPX", "ZZ234")


@pytest.mark.slow
def test_games_from_before_there_were_bundles_are_added_up(tmp_path: Path) -> None:
    where = {"DATA_DIR": str(tmp_path)}
    done = manage("migrate", "sheets", "0025", "--verbosity=0", **where)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "dizzle.sqlite3") as database:
        database.execute(
            "INSERT INTO sheets_group (id, name, last_number, key_digest, share_digest,"
            " share_number, touched)"
            " VALUES (1, 'Club', 3, 'k', 's', 1, '2020-01-01')"
        )
        for number, day in enumerate(("2019-12-31", "2020-01-01", "2020-01-02"), start=1):
            database.execute(
                "INSERT INTO sheets_groupgame (id, group_id, number, revision, is_open, played,"
                " evening, kind, level_name, level_id, level_digest, content)"
                " VALUES (?, 1, ?, 0, 0, ?, ?, 'typed', '{}', '', 'ab', '')",
                (number, number, day, day),
            )
            for seat in range(3):
                database.execute(
                    "INSERT INTO sheets_groupresult (game_id, seat, label, total, points, marks,"
                    " place, won, chance, parts, crossed, played)"
                    " VALUES (?, ?, '', 9, 9, 0, 1, 0, ?, '{}', '', ?)",
                    (number, seat, 1 / 3, day),
                )
    database.close()
    done = manage("migrate", "--verbosity=0", **where)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "dizzle.sqlite3") as database:
        rows = database.execute(
            "SELECT level_digest, year, players, kind, sums FROM sheets_gamebundle ORDER BY year"
        ).fetchall()
    database.close()
    assert rows == [("ab", 2019, 3, "typed", ""), ("ab", 2020, 3, "typed", "")]


@pytest.mark.slow
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
