"""``python -m navviz``."""

from navviz.commands import main

if __name__ == "__main__":
    main()
