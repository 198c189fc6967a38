"""The bots: Slack, Discord and whatever speaks Mattermost's slash commands.

Each is there only when its secrets are set in the environment, and is imported only then. A request is
verified before anything of it is read, acknowledged at once, and answered when the paste is diagnosed.
"""
