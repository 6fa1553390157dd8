"""What the product does, measured on files that it was not made from."""
