"""The entries: what people write in YAML, checked and compiled into what the matcher and the pages read."""
