"""Test that views leave differences between games to `sheets.tables.family`."""

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def test_views_do_not_check_which_game_a_table_plays() -> None:
    pages = [
        CHECKOUT / "sheets" / "tables" / "running_games.py",
        *(CHECKOUT / "sheets").rglob("views/*.py"),
        *(CHECKOUT / "sheets" / "pages").rglob("*.py"),
        *(CHECKOUT / "templates").rglob("*.html"),
    ]
    assert [path for path in pages if "table.game" in path.read_text("utf-8")] == []
