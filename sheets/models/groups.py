"""What is kept of people who play together: the group, its players, and what they have played.

A game is kept as numbers, which stay when the table or the sheets are gone.
"""

from django.db import models

from sheets.models.keyed import Withdrawable
from sheets.models.scorings import Scoring
from sheets.models.tables import Table
from sheets.models.tallies import Tally


class Group(Withdrawable):
    """People who play together, held together by a link; ``last_number`` is that of a game.

    ``changed_from`` is the first day of the month from which on ratings are out of date; None if
    all are current.
    """

    name = models.CharField(max_length=60)
    last_number = models.PositiveIntegerField(default=0)
    changed_from = models.DateField(null=True)

    def __str__(self) -> str:
        return self.name


class GroupPlayer(models.Model):
    """Somebody of a group; the ``number`` within it is never given again.

    ``sign`` is the number of the colour and shape. ``is_retired``: plays no more. ``also`` are the
    names from before somebody was renamed; sheets still have them. Who was found to be somebody
    else is ``merged_into`` them, and still knows their own name.
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
    """The ratings of a player in a month in which they played.

    ``course`` has a row for each evening: the day, mu, sigma, and the number of rated games so
    far. It follows from the results, see `sheets.groups.ratings`.
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
    """What a player was called who is forgotten, as a digest: sheets may still have the name.

    Up to game ``last_game`` nobody is known by it any more.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="forgotten")
    digest = models.CharField(max_length=64)
    last_game = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("group", "digest"), name="forgotten_once"),)

    def __str__(self) -> str:
        return f"until game {self.last_game}"


class GroupGame(models.Model):
    """A game of a group, where it came from, and what was played.

    ``is_open``: it goes on, and has no results yet. ``revision`` is that of its table or sheets
    when it was looked at last. ``kind`` is ``sheets``, ``table``, ``tally``, ``dice2``, ``typed``.
    Of a level, ``level_name`` is its name by language, ``level_digest`` tells its data from that of
    all others, or its name if only that was typed; of Dice² ``level_id`` is the game. ``rating`` is
    the grade of a solo game, 0 to 6. ``content`` is the digest of all that was played, by which a
    file of the same game is known. Where a table's log knows, ``seconds`` is how long the game
    took, without its long pauses, and ``starter`` the seat that began. ``players`` is the number of
    results; bots took part if ``has_bots``.
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
    """How somebody did in a game.

    ``player`` is None for somebody who has no name, is a bot (then ``label`` is what it was
    called), or was deleted; ``typed`` is who it was before players were merged. ``total`` are
    the points of a game of Dizzle, which means and records go by, ``points`` those of any game;
    None where it has none. ``won`` is the share of the win, 1 for who has won alone. ``parts`` are
    the points by category. ``crossed`` are the crossed fields as a number in hexadecimal digits,
    whose lowest bit is the level's first field; empty for a bot, and where nobody knows.
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
    """A level that a group has games with known crosses on; it stays when their sheets are gone.

    ``document`` is the level as it was in the first of them. ``is_bought``: for the eyes only, see
    `sheets.access.export_rules`.
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
    """What is said of the games of a day: where it was, and a note."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="evenings")
    day = models.DateField()
    place = models.CharField(max_length=60, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("group", "day"), name="evening_once"),)

    def __str__(self) -> str:
        return f"{self.day}"
