"""Models of tables: seats and event log; opened game files."""

from django.db import models

from sheets.models.keyed_resource import Keyed
from sheets.models.time_zones import InTimeZone


class Table(InTimeZone):
    """Game of several players, each with a sheet.

    Attributes:
        code: the code in the table's address.
        typed_code: the code that people type (`sheets.access.codes`).
        level_id: id of the level if it is a shipped one, else empty.
        level: the ``dizzle-level/1`` document at the start of the table; empty for Dice².
        game: empty for Dizzle, the name of a game of Dice², or ``relay`` for several games of it.
        target: points that win the relay.
        has_handicap: whether the relay has the handicap.
        starter: seat that is proposed to start the game, later the seat that started it; in Dizzle
            always the first.
        dice: ``table`` (real dice, not tracked), ``typed`` (real dice, tracked) or ``rolled`` (the
            app rolls).
        has_advice: whether players may request hints (`sheets.tables.hints`).
        is_paused: a player has paused the game until another day, and no act has followed.
        revision: rises with every change that phones show, also of seats.
        length: number of the last entry of the event log. It is stored, so that one query reads
            seats, table and the version of the log, and a cached log needs no further query.
        next_code: the code of the table where the same players play again; empty if none.
        is_bought: the level is a bought sheet (`sheets.access.export_rules`).
        bought_level: its workshop level, until this is deleted.
        dice_seed: seed of the app's dice (`sheets.tables.dice_seeds`) in hexadecimal digits; secret
            until the game is over. Empty if the app does not roll, or rolls without a seed.
        contributions: the contributions of all seats to the dice, separated by commas, in the order
            of play; fixed by the first throw, empty before the game.
    """

    code = models.CharField(max_length=16, unique=True)
    typed_code = models.CharField(max_length=12, null=True, unique=True)
    level_id = models.CharField(max_length=40, blank=True)
    level = models.JSONField(default=dict)
    game = models.CharField(max_length=12, blank=True)
    target = models.PositiveSmallIntegerField(default=0)
    has_handicap = models.BooleanField(default=False)
    starter = models.PositiveSmallIntegerField(default=0)
    dice = models.CharField(max_length=8)
    has_advice = models.BooleanField(default=False)
    host = models.PositiveSmallIntegerField(default=0)
    has_started = models.BooleanField(default=False)
    is_paused = models.BooleanField(default=False)
    revision = models.PositiveIntegerField(default=0)
    length = models.PositiveIntegerField(default=0)
    next_code = models.CharField(max_length=16, blank=True)
    is_bought = models.BooleanField(default=False)
    bought_level = models.ForeignKey("WorkshopLevel", models.SET_NULL, null=True, related_name="+")
    dice_seed = models.CharField(max_length=64, blank=True, default="")
    contributions = models.CharField(max_length=200, blank=True, default="")
    touched = models.DateTimeField(auto_now=True, db_index=True)

    def __str__(self) -> str:
        return f"table {self.code}"

    @property
    def shown_code(self) -> str:
        """Code that pages show: the typed one, or else the one in the address."""
        return self.typed_code or self.code


class Seat(models.Model):
    """Seat of one player; ``number`` is the index in the game, see `sheets.tables.seat_order`.

    Attributes:
        token_digest: digest of the secret of the device that holds the seat and may act for it.
        rescue_digest: digest of the key of the personal link that moves the seat to another device.
        bot: name of the bot that plays the seat, empty for people.
        left_name: name of the player who has left and for whom the bot plays on; else empty.
        origin: scheme, host and port of the address under which the seat's device uses the site.
        claim_digest: digest of the secret of another device that claims to be the player
            (`sheets.tables.claims`); empty while there is no claim.
        claimed: time of this claim.
        contribution: random text of the seat's device for the dice (`sheets.tables.dice_seeds`), 32
            hexadecimal digits; empty if it has sent none.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40, blank=True)
    token_digest = models.CharField(max_length=64, blank=True, db_index=True)
    rescue_digest = models.CharField(max_length=64, blank=True, db_index=True)
    bot = models.CharField(max_length=16, blank=True)
    left_name = models.CharField(max_length=40, blank=True, default="")
    origin = models.CharField(max_length=100, blank=True, default="")
    claim_digest = models.CharField(max_length=64, blank=True, default="")
    claimed = models.DateTimeField(null=True)
    contribution = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("table", "number"), name="seat_once"),)

    def __str__(self) -> str:
        return self.name or f"seat {self.number + 1}"

    @property
    def is_free(self) -> bool:
        """Whether neither a device nor a bot holds the seat."""
        return not (self.token_digest or self.bot)


class Entry(models.Model):
    """Entry of a table's event log (`sheets.tables.event_log`); immutable once the game has begun.

    ``request`` is the idempotency key from the device: the same request sent again adds nothing.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    action = models.JSONField()
    seat = models.PositiveSmallIntegerField(null=True)
    request = models.CharField(max_length=40, null=True)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("table", "number"), name="entry_number_once"),
            models.UniqueConstraint(fields=("table", "request"), name="entry_request_once"),
        )

    def __str__(self) -> str:
        return f"{self.number}: {self.action}"


class GameFile(Keyed):
    """Text of a ``dizzle-game/1`` document that was opened for replay.

    (It is no JSON field, because PostgreSQL refuses JSON with a NUL in a name.) Holders of the key
    can read it; it never changes.
    """

    document = models.TextField()

    def __str__(self) -> str:
        return f"game file {self.pk}"
