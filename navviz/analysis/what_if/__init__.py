"""What if it had taken another link: the same navigator's walk from each fork."""
