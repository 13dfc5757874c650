"""What this installation has: shipped files, optional packages, plug-ins."""
