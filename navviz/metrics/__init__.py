"""Path metrics, long-horizon metrics, agreement and cost."""
