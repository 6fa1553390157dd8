"""Habits: whatever a person's texts repeat is offered to them as a routine or a rule, and set up if they say yes."""

from app.features.habits import suggest_habits
from app.features.habits.suggesting import answer, handle_next
from app.services.feature import Feature

HABITS = Feature("habits", jobs=(suggest_habits,), answer=answer, say=handle_next)
