"""What happens when the cause of a failure is repaired, beside what chance and a placebo do."""
