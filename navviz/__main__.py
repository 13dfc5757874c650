"""``python -m navviz``, the same as ``navviz``."""

from navviz.cli import main

if __name__ == "__main__":
    main()
