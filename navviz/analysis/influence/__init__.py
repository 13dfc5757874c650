"""Which words of an instruction mattered: change it piece by piece, walk again, compare."""
