"""The operator's side: alerts, the log, checks, numbers."""
