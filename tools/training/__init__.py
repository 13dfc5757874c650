"""Learn the weights of the rules from Map2Seq's validation split."""
