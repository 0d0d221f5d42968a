"""What is kept of a table: who sits there, and the log of everything that was done."""

from django.db import models

from sheets.models.keyed import Keyed
from sheets.models.time_zones import InTimeZone


class Table(InTimeZone):
    """One game of people at a table, each with a sheet.

    ``code`` is in its address, ``typed_code`` what people type (`sheets.access.codes`). ``game`` is
    what is played: empty for Dizzle, the name of a game of Dice², or ``relay`` for several, to
    ``target`` points and perhaps with the handicap; ``starter`` is the seat that is proposed to
    start the game, and then the one that starts it: in Dizzle always the first. For Dizzle
    ``level`` is the ``dizzle-level/1`` document as it was when the table began, ``level_id`` its id
    where it is a shipped one. ``dice`` is ``table`` (real dice, not tracked), ``typed`` or
    ``rolled`` (tracked). ``has_advice`` says that players may ask what an expert would do
    (`sheets.tables.advice`). ``length`` is the number of the last entry; ``revision`` rises with
    everything a phone shows, so with seats too. ``is_bought`` says that the level is a sheet
    somebody has bought, ``bought_level`` which, until that is deleted
    (`sheets.access.export_rules`).
    ``next_code`` is in the address of the table where the same people play again. ``is_paused``:
    the players go on another day; nobody has done anything since a player said so.
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
    touched = models.DateTimeField(auto_now=True, db_index=True)

    def __str__(self) -> str:
        return f"table {self.code}"

    @property
    def shown_code(self) -> str:
        """What people call the table, and type; its address's code where there is none to type."""
        return self.typed_code or self.code


class Seat(models.Model):
    """One player's place; ``number`` is the index in the game, see `sheets.tables.seat_order`.

    Whoever has the token whose digest is kept here may act for the seat. ``rescue_digest`` belongs
    to the personal link that moves the seat to another device. ``bot`` is the name of the bot that
    plays the seat, empty for people; ``left_name`` is the name of the player for whom it plays on.
    ``origin`` is scheme, host and port of the address under which its device uses the site.
    ``claim_digest`` is that of the token of another device that claims to be the player, since
    ``claimed`` (`sheets.tables.claims`); empty while there is no claim.
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

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("table", "number"), name="seat_once"),)

    def __str__(self) -> str:
        return self.name or f"seat {self.number + 1}"

    @property
    def is_free(self) -> bool:
        """Whether nobody holds it, neither a device nor a bot."""
        return not (self.token_digest or self.bot)


class Entry(models.Model):
    """One entry of a table's log, see `sheets.tables.log`; never changed once the game has begun.

    ``request`` is the id the device gave its request, so that the same one sent again adds nothing.
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
    """A ``dizzle-game/1`` document that somebody opened to step through it, as text.

    (PostgreSQL keeps no JSON in which a name has a NUL.) Who has its key sees it, and
    nobody changes it.
    """

    document = models.TextField()

    def __str__(self) -> str:
        return f"game file {self.pk}"
