"""Models of groups: players, games, results, ratings.

The results are copies: they stay after the table or the sheets of a game are deleted.
"""

from django.db import models

from sheets.models.keyed_resource import Withdrawable
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

    ``sign`` is the number of the drawing (colour and shape) that stands for the player.
    ``is_retired``: no longer plays. ``also`` are former names, which sheets still have. If two
    players turn out to be one person, one of them is ``merged_into`` the other and keeps its name.
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
    """Digest of a deleted player's name, so that this player's results stay anonymous.

    The sheets may still have the name, and later another player may have it. In games up to number
    ``last_game``, no player is recognised by this name.
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

    Attributes:
        scoring: the source, like ``tally`` and ``table``: at most one of them is set.
        revision: 1 + the revision of the source at the last update; 0 before the first update.
        is_open: the game goes on, and has no results yet.
        evening: the day on which the evening of the game began.
        kind: ``sheets``, ``table``, ``tally``, ``dice2`` or ``typed``.
        level_name: the level's name by language.
        level_id: the id of the level; in Dice² the name of the game.
        level_digest: identifies the level's data, or its name if only the name was typed.
        rating: the grade of a solo game, 0 to 6.
        content: the digest of the whole game, by which a file of the same game is recognised.
        seconds: the duration without long pauses, if a table's log has it.
        starter: the seat that began, if a table's log has it.
        players: the number of results.
        has_bots: whether bots took part.
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

    Attributes:
        player: None for a participant without a name, a bot, or a deleted player.
        typed: the player who has the name on the sheet. If this player was merged into another
            one, the other is ``player``.
        label: a bot's name, else empty.
        total: the points in a game of Dizzle, for means and records; None in Dice².
        points: the points in any game; None if the game has none.
        place: the rank, 1 for the winners.
        won: the share of the win, 1 for a sole winner.
        parts: the points by category.
        crossed: the bit mask of the crossed fields in hexadecimal digits, whose lowest bit is the
            level's first field; empty for bots and if the fields are unknown.
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
    """Level of a group's results with `GroupResult.crossed`, to show how often fields are crossed.

    ``document`` is the level at the time of the first of these games; it stays after the sheets are
    deleted. ``is_bought``: shown, but never exported, see `sheets.access.export_rules`.
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
    """Where a group played on a day (``place``), and a note on the games of this day."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="evenings")
    day = models.DateField()
    place = models.CharField(max_length=60, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("group", "day"), name="evening_once"),)

    def __str__(self) -> str:
        return f"{self.day}"


class DailyResult(models.Model):
    """Result of a group's player on the sheet of a day, which is no game of the group.

    ``totals`` are the points after each round, the last one is the result.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="daily_results")
    player = models.ForeignKey(GroupPlayer, models.CASCADE, related_name="daily_results")
    day = models.DateField()
    total = models.IntegerField()
    totals = models.JSONField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("player", "day"), name="daily_result_once"),)
        indexes = (models.Index(fields=("group", "-day"), name="daily_results"),)

    def __str__(self) -> str:
        return f"{self.day}: {self.total}"
