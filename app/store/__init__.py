"""The database: opened, written in turn, migrated. Nothing else knows which one it is."""
