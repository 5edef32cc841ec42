"""Run the command line: ``python -m yukonsolve``."""

from yukonsolve.cli import main

if __name__ == "__main__":
    main(prog_name="yukonsolve")
