"""The routes, one file for each thing that is served."""
