"""A diagnosis or an entry as text for people. Pure functions: values in, text out."""
