"""The addresses of groups; the key in them is all that guards one."""

from django.urls import path

from sheets.groups.views import entering, files, group, keep, people

urlpatterns = [
    path("new/", group.begin, name="group-new"),
    path("file/", files.open_file, name="group-file"),
    path("deleted/", group.deleted, name="group-deleted"),
    path("keep/<slug:kind>/<str:name>/", keep.keep_game, name="group-keep"),
    path("<key:key>/", group.page, name="group"),
    path("<key:key>/evening/<day:day>/", group.evening, name="group-evening"),
    path("<key:key>/games/<sheet:number>/delete/", group.delete_game, name="group-delete-game"),
    path("<key:key>/players/", people.players, name="group-players"),
    path("<key:key>/players/<sheet:number>/", people.player, name="group-player"),
    path("<key:key>/players/<sheet:number>/delete/", people.delete, name="group-delete-player"),
    path("<key:key>/enter/", entering.enter, name="group-enter"),
    path("<key:key>/group.json", files.document, name="group-document"),
    path("<key:key>/results.csv", files.table, name="group-csv"),
    path("<key:key>/links/", group.links, name="group-links"),
    path("<key:key>/delete/", group.delete, name="group-delete"),
]
