"""What a hostile visitor of a shared server does, one test for each line; all of it runs in the
ordinary run.
"""
