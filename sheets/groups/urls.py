"""URLs of groups; the key in a URL is the only access control."""

from django.urls import path

from sheets.groups.views import (
    add_game,
    daily,
    game_files_import,
    group,
    group_file,
    level,
    paper_games_import,
    players,
    standings,
    year,
)

urlpatterns = [
    path("new/", group.begin, name="group-new"),
    path("file/", group_file.open_file, name="group-file"),
    path("deleted/", group.deleted, name="group-deleted"),
    path("keep/<slug:kind>/<str:name>/", add_game.add_game_page, name="group-keep"),
    path("<key:key>/", group.page, name="group"),
    path("<key:key>/standings/", standings.page, name="group-standings"),
    path("<key:key>/play/", group.play, name="group-play"),
    path("<key:key>/evening/<day:day>/", group.evening, name="group-evening"),
    path("<key:key>/games/<sheet:number>/delete/", group.delete_game, name="group-delete-game"),
    path(
        "<key:key>/games/<sheet:number>/correct/",
        paper_games_import.correct,
        name="group-correct-game",
    ),
    path("<key:key>/players/", players.players, name="group-players"),
    path("<key:key>/players/<sheet:number>/", players.player, name="group-player"),
    path("<key:key>/players/<sheet:number>/delete/", players.delete, name="group-delete-player"),
    path("<key:key>/levels/<digest:digest>/", level.page, name="group-level"),
    path("<key:key>/year/<year:year>/", year.page, name="group-year"),
    path("<key:key>/year/<year:year>/year.png", year.picture, name="group-year-picture"),
    path("<key:key>/players/<sheet:number>/year/<year:year>/", year.page, name="group-player-year"),
    path(
        "<key:key>/players/<sheet:number>/year/<year:year>/year.png",
        year.picture,
        name="group-player-year-picture",
    ),
    path("<key:key>/day/", daily.days, name="group-days"),
    path("<key:key>/day/keep/", daily.keep, name="group-day-keep"),
    path("<key:key>/enter/", paper_games_import.enter, name="group-enter"),
    path("<key:key>/enter/files/", game_files_import.enter_files, name="group-enter-files"),
    path("<key:key>/group.json", group_file.document, name="group-document"),
    path("<key:key>/results.csv", group_file.table, name="group-csv"),
    path("<key:key>/links/", group.links, name="group-links"),
    path("<key:key>/delete/", group.delete, name="group-delete"),
]
