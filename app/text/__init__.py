"""Pure functions over words."""
