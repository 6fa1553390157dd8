"""Keepsake: a personal assistant that you text, and that remembers."""
