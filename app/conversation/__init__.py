"""One turn of a conversation, from claim to reply; `turn.py` tells the story."""
