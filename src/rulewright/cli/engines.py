"""--engine and what belongs to it: where relations are learned."""

from rulewright.engine.dask import Dask
from rulewright.engine.engine import Engine
from rulewright.engine.pool import Pool
from rulewright.engine.serial import Serial
from rulewright.errors import OptionError, nearest

ENGINES = ("pool", "serial", "dask")


def engine_for(name: str, threads: int | None, address: str | None, workers: int | None, memory: str | None) -> Engine:
    """The engine of a name with its options; an option of another engine is a mistake."""
    if name not in ENGINES:
        raise OptionError(f"--engine must be one of {', '.join(ENGINES)}, not {name}{nearest(name, ENGINES)}")
    given = {"--address": address, "--workers": workers, "--worker-memory": memory}
    strange = [option for option, value in given.items() if value is not None]
    if name == "dask":
        return Dask(address, workers, memory)
    if strange:
        raise OptionError(f"{', '.join(strange)} goes with --engine dask, not with {name}")
    pool = Pool(threads)
    return pool if name == "pool" else Serial()
