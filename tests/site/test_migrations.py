"""Migrations of databases of earlier versions."""

import sqlite3
from pathlib import Path

import pytest

from tests.site.served_site import manage, serving

OLD = ("K7QPX", "ZZ234")


@pytest.mark.slow
def test_old_games_have_their_players_and_bots_and_are_rated_again(tmp_path: Path) -> None:
    where = {"DATA_DIR": str(tmp_path)}
    done = manage("migrate", "sheets", "0038", "--verbosity=0", **where)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "dizzle.sqlite3") as database:
        database.execute(
            "INSERT INTO sheets_group (id, name, last_number, key_digest, share_digest,"
            " share_number, touched)"
            " VALUES (1, 'Club', 3, 'k', 's', 1, '2020-01-01')"
        )
        for number, is_open in enumerate((False, False, True), start=1):
            database.execute(
                "INSERT INTO sheets_groupgame (id, group_id, number, revision, is_open, played,"
                " evening, kind, level_name, level_id, level_digest, content)"
                " VALUES (?, 1, ?, 0, ?, '2020-01-01', '2020-01-01', 'typed', '{}', '', 'ab', '')",
                (number, number, is_open),
            )
            for seat in range(0 if is_open else number + 1):
                database.execute(
                    "INSERT INTO sheets_groupresult (game_id, seat, label, total, points, marks,"
                    " place, won, chance, has_bots, parts, crossed, played)"
                    " VALUES (?, ?, '', 9, 9, 0, 1, 0, ?, ?, '{}', '', '2020-01-01')",
                    (number, seat, 1 / (number + 1), number == 2),
                )
    database.close()
    done = manage("migrate", "--verbosity=0", **where)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "dizzle.sqlite3") as database:
        games = database.execute(
            "SELECT players, has_bots FROM sheets_groupgame ORDER BY number"
        ).fetchall()
        (changed_from,) = database.execute("SELECT changed_from FROM sheets_group").fetchone()
    database.close()
    assert games == [(2, 0), (3, 1), (0, 0)]
    assert changed_from <= "2020-01-01"


@pytest.mark.slow
def test_tables_of_earlier_versions_keep_their_single_code(tmp_path: Path) -> None:
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
