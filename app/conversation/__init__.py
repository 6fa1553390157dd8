"""One turn of a conversation; `turn.py` is its story."""
