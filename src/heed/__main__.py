"""`python -m heed`, which is also how torchrun starts the command."""

from heed.cli.main import main

if __name__ == "__main__":
    main()
