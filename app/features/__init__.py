"""Features: folders that can be deleted. Nothing below imports them; `wiring.py` chooses those that are there."""
