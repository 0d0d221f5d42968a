"""Models of groups: players, games, results, ratings.

A game is stored as numbers, which stay after the table or the sheets are deleted.
"""

from django.db import models

from sheets.models.keyed import Withdrawable
from sheets.models.scorings import Scoring
from sheets.models.tables import Table
from sheets.models.tallies import Tally


class Group(Withdrawable):
    """People who play together and share a link; ``last_number`` is the number of the last game.

    ``changed_from`` is the first day of the first month whose ratings are out of date; None if all
    are current.
    """

    name = models.CharField(max_length=60)
    last_number = models.PositiveIntegerField(default=0)
    changed_from = models.DateField(null=True)

    def __str__(self) -> str:
        return self.name


class GroupPlayer(models.Model):
    """Player of a group; the ``number`` is unique in the group and never reused.

    ``sign`` is the number of the player's colour and shape. ``is_retired``: no longer plays.
    ``also`` are former names, which sheets still have. A player who turned out to be another one
    is ``merged_into`` that one, and keeps the name.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    also = models.JSONField(default=list)
    sign = models.PositiveSmallIntegerField(default=0)
    is_retired = models.BooleanField(default=False)
    merged_into = models.ForeignKey("self", models.SET_NULL, null=True, related_name="merged")

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("group", "number"), name="group_player_once"),
        )

    def __str__(self) -> str:
        return self.name


class RatingMonth(models.Model):
    """Ratings of a player in a month in which they played.

    ``course`` has a row for each evening: the day, mu, sigma, and the number of rated games so
    far. It is derived from the results, see `sheets.groups.ratings`.
    """

    player = models.ForeignKey(GroupPlayer, on_delete=models.CASCADE, related_name="rating_months")
    month = models.DateField()
    course = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("player", "month"), name="rating_month_once"),
        )

    def __str__(self) -> str:
        return f"{self.month}"


class ForgottenName(models.Model):
    """Digest of the name of a forgotten player: sheets may still have the name.

    Up to game ``last_game``, no player is recognised by this name.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="forgotten")
    digest = models.CharField(max_length=64)
    last_game = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("group", "digest"), name="forgotten_once"),)

    def __str__(self) -> str:
        return f"until game {self.last_game}"


class GroupGame(models.Model):
    """Game of a group: its source and what was played.

    ``is_open``: the game goes on, and has no results yet. ``revision`` is that of its table or
    sheets when the game was last refreshed from them. ``kind`` is ``sheets``, ``table``, ``tally``,
    ``dice2`` or ``typed``. ``level_name`` is the level's name by language; ``level_digest``
    identifies the level's data, or its name if only the name was typed. In Dice² ``level_id`` is
    the game. ``rating`` is the grade of a solo game, 0 to 6. ``content`` is the digest of the whole
    game, by which a file of the same game is recognised. If a table's log has them, ``seconds`` is
    the duration of the game without long pauses, and ``starter`` the seat that began. ``players``
    is the number of results; ``has_bots`` says whether bots took part.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveIntegerField()
    scoring = models.ForeignKey(Scoring, models.SET_NULL, null=True, related_name="+")
    tally = models.ForeignKey(Tally, models.SET_NULL, null=True, related_name="+")
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="+")
    revision = models.PositiveIntegerField(default=0)
    is_open = models.BooleanField(default=True)
    played = models.DateTimeField()
    evening = models.DateField()
    kind = models.CharField(max_length=8)
    level_name = models.JSONField(default=dict)
    level_id = models.CharField(max_length=40, blank=True)
    level_digest = models.CharField(max_length=16, blank=True)
    rating = models.PositiveSmallIntegerField(null=True)
    content = models.CharField(max_length=64, blank=True)
    seconds = models.PositiveIntegerField(null=True)
    starter = models.PositiveSmallIntegerField(null=True)
    players = models.PositiveSmallIntegerField(default=0)
    has_bots = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("group", "number"), name="group_game_once"),
            models.UniqueConstraint(fields=("group", "scoring"), name="group_scoring_once"),
            models.UniqueConstraint(fields=("group", "tally"), name="group_tally_once"),
            models.UniqueConstraint(fields=("group", "table"), name="group_table_once"),
        )
        indexes = (
            models.Index(fields=("group", "-evening", "-number"), name="group_evenings"),
            models.Index(fields=("group",), condition=models.Q(is_open=True), name="group_open"),
            models.Index(fields=("group", "level_digest", "number"), name="group_levels"),
            models.Index(fields=("group", "content"), name="group_contents"),
        )

    def __str__(self) -> str:
        return f"game {self.number}"


class GroupResult(models.Model):
    """Result of one participant in a game.

    ``player`` is None for a participant without a name, a bot (``label`` is its name), or a deleted
    player; ``typed`` is the player before players were merged. ``total`` are the points of a game
    of Dizzle, from which means and records are computed, ``points`` those of any game; None if the
    game has none. ``won`` is the share of the win, 1 for a sole winner. ``parts`` are the points
    by category. ``crossed`` is the bit mask of the crossed fields in hexadecimal digits, whose
    lowest bit is the level's first field; empty for bots and if the fields are unknown.
    """

    game = models.ForeignKey(GroupGame, on_delete=models.CASCADE, related_name="results")
    player = models.ForeignKey(GroupPlayer, models.SET_NULL, null=True, related_name="results")
    typed = models.ForeignKey(GroupPlayer, models.SET_NULL, null=True, related_name="+")
    seat = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=40, blank=True)
    total = models.IntegerField(null=True)
    points = models.IntegerField(null=True)
    marks = models.PositiveSmallIntegerField(default=0)
    place = models.PositiveSmallIntegerField()
    won = models.FloatField()
    parts = models.JSONField(default=dict)
    crossed = models.CharField(max_length=169, blank=True)
    played = models.DateTimeField()

    class Meta:
        ordering = ("place", "seat")
        constraints = (models.UniqueConstraint(fields=("game", "seat"), name="result_once"),)
        indexes = (models.Index(fields=("player", "-played"), name="result_of_player"),)

    def __str__(self) -> str:
        return f"{self.place}. {self.player_id}"


class GroupLevel(models.Model):
    """Level of games with known crosses; it stays after their sheets are deleted.

    ``document`` is the level at the time of the first of these games. ``is_bought``: shown, but
    never exported, see `sheets.access.export_rules`.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="levels")
    digest = models.CharField(max_length=16)
    document = models.JSONField()
    is_bought = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("group", "digest"), name="group_level_once"),
        )

    def __str__(self) -> str:
        return self.digest


class Evening(models.Model):
    """Place and note of the games of a day."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="evenings")
    day = models.DateField()
    place = models.CharField(max_length=60, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("group", "day"), name="evening_once"),)

    def __str__(self) -> str:
        return f"{self.day}"
