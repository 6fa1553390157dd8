"""Evaluation: the product measured on files that it was not made from."""
