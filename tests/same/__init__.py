"""Results as they are today: commands, tables, documents and events on samples and real data.

``python -m tests.same --diff`` says in words what changed, ``--record`` writes it anew. A commit
that changes a result says so.
"""
