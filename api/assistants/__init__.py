"""For assistants: the Model Context Protocol, over HTTP at /mcp and over stdio (`kb mcp`).

`tools.py` says what can be asked and answers it, and knows nothing of the protocol; `protocol.py` is the only
place that imports the SDK, which is loaded with the first question: a server that nobody asks pays nothing.
"""
