"""The addresses in the workshop of what is worked out for an inventor."""

from django.urls import path

from sheets.urls import score as urls_score  # noqa: F401  it registers the converter of keys
from sheets.views import workshop_balance, workshop_files, workshop_suggest

urlpatterns = [
    path("suggest/", workshop_suggest.suggest_level, name="workshop-suggest"),
    path("<key:key>/balance/", workshop_balance.balance, name="workshop-balance"),
    path("<key:key>/balance/state/", workshop_balance.progress, name="workshop-balance-state"),
    path("<key:key>/code/", workshop_files.code, name="workshop-code"),
]
