"""Files of every format, damaged at random, and what must become of them: read, or refused in one
sentence.
"""
