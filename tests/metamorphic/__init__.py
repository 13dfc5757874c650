"""The same content in other spellings gives the same tables."""
