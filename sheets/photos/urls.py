"""URLs of photo pages; a key in a URL is the key of a scoring or of a workshop level."""

from django.urls import path

from sheets.photos.views import empty_sheet, seat, upload

urlpatterns = [
    path("score/photos/", upload.choose, name="photos"),
    path("score/photos/line/", upload.position, name="photos-line"),
    path("score/photos/read/", upload.read, name="photos-read"),
    path("score/photos/sum/", upload.totals, name="photos-sum"),
    path("score/photos/take/", upload.take, name="photos-take"),
    path("score/<key:key>/photos/", upload.choose_open, name="photos-open"),
    path("score/<key:key>/photos/read/", upload.read_open, name="photos-open-read"),
    path("score/<key:key>/photos/sum/", upload.totals_open, name="photos-open-sum"),
    path("score/<key:key>/photos/take/", upload.take_open, name="photos-open-take"),
    path("score/<key:key>/<sheet:number>/photo.jpg", upload.picture, name="sheet-photo"),
    path("score/<key:key>/<sheet:number>/photo/drop/", upload.drop, name="sheet-photo-drop"),
    path("workshop/own/photos/read/", empty_sheet.begin, name="photos-empty"),
    path("workshop/<key:key>/photos/empty/", empty_sheet.add, name="photos-empty-add"),
    path("workshop/<key:key>/photos/turn/", empty_sheet.turn, name="photos-empty-turn"),
    path("workshop/<key:key>/photos/", upload.choose_own, name="photos-own"),
    path("workshop/<key:key>/photos/read/", upload.read_own, name="photos-own-read"),
    path("workshop/<key:key>/photos/sum/", upload.totals_own, name="photos-own-sum"),
    path("workshop/<key:key>/photos/take/", upload.take_own, name="photos-own-take"),
    path("table/<code:code>/photos/", seat.choose, name="photos-seat"),
    path("table/<code:code>/photos/read/", seat.read, name="photos-seat-read"),
    path("table/<code:code>/photos/sum/", seat.totals, name="photos-seat-sum"),
    path("table/<code:code>/photos/compare/", seat.compare, name="photos-seat-compare"),
    path("table/<code:code>/photos/take/", seat.take, name="photos-seat-take"),
]
