"""``python -m witmark``: the command line without an installed script."""

from witmark.cli import main

if __name__ == "__main__":
    main(prog_name="witmark")
