"""The sub-commands by name. Each is loaded when it is called: torch takes seconds, and a list of commands needs none.

The list says of a command what its own documentation begins with; a test compares.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

SETTINGS = {"help_option_names": ["-h", "--help"]}
COMMANDS = {
    "learn": "Learn weighted rules from DATA, print them, and write a run folder with --out.",
    "evaluate": "Rank the answers of a split's queries and print MRR and Hits@1, 3, 10.",
    "rules": "Print the rules of a RUN.",
    "predict": "Rank the answers to RELATION(HEAD, ?), or list the head facts of a template with their truth.",
    "explain": "Take a prediction apart: rules, weights, truths, and the facts that make them true.",
    "serve": "Explore a RUN in the browser: rules, questions, and the facts behind every answer.",
    "reproduce": "Run an experiment of the paper, print it beside the paper's values, and write results/NAME.",
    "export": "Write the rules of a RUN in the format of another tool.",
    "edit": "Change the rules of a RUN by hand, and write what comes out as another run.",
    "data": "The data sets: what there is, download, check.",
}


class Commands(TyperGroup):
    """The group of all sub-commands. While they are listed, they are no more than their names and first lines."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = {name: TyperCommand(name, help=line) for name, line in COMMANDS.items()}
        self.listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order in which one needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command itself, loaded now, unless its first line is all that is wanted."""
        if self.listing or cmd_name not in COMMANDS:
            return self.commands.get(cmd_name)
        return loaded(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help of `rulewright` lists the commands."""
        with self.as_list():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """So does the shell while the command is being typed."""
        with self.as_list():
            return super().shell_complete(ctx, incomplete)

    @contextmanager
    def as_list(self) -> Iterator[None]:
        """Commands are only looked at meanwhile."""
        self.listing = True
        try:
            yield
        finally:
            self.listing = False


def loaded(name: str) -> Any:
    """A command from the module of its name."""
    module = import_module(f"rulewright.cli.{name}")
    if name == "data":  # a group of commands itself
        return typer.main.get_command(module.data_app)
    single = typer.Typer(add_completion=False, context_settings=SETTINGS, pretty_exceptions_enable=False)
    single.command(name)(getattr(module, f"{name}_command"))
    return typer.main.get_command(single)
