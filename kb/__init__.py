"""Faultbook: failures of machine-learning infrastructure, and the matcher that finds them in a paste."""
