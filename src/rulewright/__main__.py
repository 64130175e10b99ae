"""`python -m rulewright` is the command `rulewright`."""

from rulewright.cli.app import main

if __name__ == "__main__":
    main()
