"""Any navigator on a task with several parts: the task is split, and each part is walked with a
fresh memory.
"""
