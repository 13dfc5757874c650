"""The Live page: form, run, result, fork, own episodes."""
