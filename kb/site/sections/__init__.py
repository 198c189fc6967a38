"""The parts of an entry's page, each a pure function to Markdown; an empty part is an empty text."""
