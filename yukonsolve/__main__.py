"""Run the command line: ``python -m yukonsolve``."""

from yukonsolve.cli import run

if __name__ == "__main__":
    run()
