"""What people say about episodes: records, questions, the database, exchange with other tools."""
