from pathlib import Path

import pytest
from tests.fuzz.runs import write_runs


@pytest.fixture(scope="session")
def sound_runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A sound run folder of each kind; tests break copies of them."""
    return write_runs(tmp_path_factory.mktemp("sound"))
