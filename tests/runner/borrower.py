"""A process that draws on a ledger, to be killed: ``python -m tests.runner.borrower FOLDER JOB
NUMBER``.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from navviz.runner.ledger import Ledger

LIMIT = 1_000_000


def say(text: object) -> None:
    os.write(1, f"{text}\n".encode())


def main(folder: str, job: str, number: int) -> None:
    account = Ledger(Path(folder)).account("ann", LIMIT)
    if job == "hold":
        with account.borrow(number, "r") as lease:
            lease.charge(1)
            say(lease.tokens)
            time.sleep(600)
    for _ in range(number):
        account.charge(1)
        say("charged")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
