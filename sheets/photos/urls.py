"""URLs of photo pages; a key in a URL is that of a scoring or of a workshop level."""

from django.urls import path

from sheets.photos import empty, seats, views

urlpatterns = [
    path("score/photos/", views.choose, name="photos"),
    path("score/photos/line/", views.position, name="photos-line"),
    path("score/photos/read/", views.read, name="photos-read"),
    path("score/photos/sum/", views.sum_up, name="photos-sum"),
    path("score/photos/take/", views.take, name="photos-take"),
    path("score/<key:key>/photos/", views.choose_open, name="photos-open"),
    path("score/<key:key>/photos/read/", views.read_open, name="photos-open-read"),
    path("score/<key:key>/photos/sum/", views.sum_up_open, name="photos-open-sum"),
    path("score/<key:key>/photos/take/", views.take_open, name="photos-open-take"),
    path("score/<key:key>/<sheet:number>/photo.jpg", views.picture, name="sheet-photo"),
    path("score/<key:key>/<sheet:number>/photo/drop/", views.drop, name="sheet-photo-drop"),
    path("workshop/own/photos/read/", empty.begin, name="photos-empty"),
    path("workshop/<key:key>/photos/empty/", empty.add, name="photos-empty-add"),
    path("workshop/<key:key>/photos/turn/", empty.turn, name="photos-empty-turn"),
    path("workshop/<key:key>/photos/", views.choose_own, name="photos-own"),
    path("workshop/<key:key>/photos/read/", views.read_own, name="photos-own-read"),
    path("workshop/<key:key>/photos/sum/", views.sum_up_own, name="photos-own-sum"),
    path("workshop/<key:key>/photos/take/", views.take_own, name="photos-own-take"),
    path("table/<code:code>/photos/", seats.choose, name="photos-seat"),
    path("table/<code:code>/photos/read/", seats.read, name="photos-seat-read"),
    path("table/<code:code>/photos/sum/", seats.sum_up, name="photos-seat-sum"),
    path("table/<code:code>/photos/compare/", seats.compare, name="photos-seat-compare"),
    path("table/<code:code>/photos/take/", seats.take, name="photos-seat-take"),
]
