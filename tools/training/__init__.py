"""Learn the weights of the rules: outdoors from Map2Seq's val, indoors from R2R's train."""
