"""Parts that several pages share: the player, pickers, the gallery, picking on a map."""
