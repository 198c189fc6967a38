"""The HTTP API and the site on one port: a FastAPI app over what `kb build` wrote."""
