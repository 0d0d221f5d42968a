"""URLs of groups; the key in a URL is the only access control."""

from django.urls import path

from sheets.groups.views import (
    entering,
    files,
    from_files,
    group,
    keep,
    level,
    people,
    standings,
    year,
)

urlpatterns = [
    path("new/", group.begin, name="group-new"),
    path("file/", files.open_file, name="group-file"),
    path("deleted/", group.deleted, name="group-deleted"),
    path("keep/<slug:kind>/<str:name>/", keep.keep_game, name="group-keep"),
    path("<key:key>/", group.page, name="group"),
    path("<key:key>/standings/", standings.page, name="group-standings"),
    path("<key:key>/play/", group.play, name="group-play"),
    path("<key:key>/evening/<day:day>/", group.evening, name="group-evening"),
    path("<key:key>/games/<sheet:number>/delete/", group.delete_game, name="group-delete-game"),
    path("<key:key>/games/<sheet:number>/correct/", entering.correct, name="group-correct-game"),
    path("<key:key>/players/", people.players, name="group-players"),
    path("<key:key>/players/<sheet:number>/", people.player, name="group-player"),
    path("<key:key>/players/<sheet:number>/delete/", people.delete, name="group-delete-player"),
    path("<key:key>/levels/<digest:digest>/", level.page, name="group-level"),
    path("<key:key>/year/<year:year>/", year.page, name="group-year"),
    path("<key:key>/year/<year:year>/year.png", year.picture, name="group-year-picture"),
    path("<key:key>/players/<sheet:number>/year/<year:year>/", year.page, name="group-player-year"),
    path(
        "<key:key>/players/<sheet:number>/year/<year:year>/year.png",
        year.picture,
        name="group-player-year-picture",
    ),
    path("<key:key>/enter/", entering.enter, name="group-enter"),
    path("<key:key>/enter/files/", from_files.enter_files, name="group-enter-files"),
    path("<key:key>/group.json", files.document, name="group-document"),
    path("<key:key>/results.csv", files.table, name="group-csv"),
    path("<key:key>/links/", group.links, name="group-links"),
    path("<key:key>/delete/", group.delete, name="group-delete"),
]
