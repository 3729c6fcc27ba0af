"""What a rule is, whatever the game."""
