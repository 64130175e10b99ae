"""Data sets by name or path."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rulewright.errors import DatasetError, nearest
from rulewright.kb.download import cache_folder, fetch
from rulewright.kb.reading import TRIPLES, read_facts
from rulewright.kb.registry import REGISTRY, find, key, mismatch
from rulewright.kb.splits import TENTH, TRAIN, Dataset, Triples, read_splits, split_by_seed, with_valid
from rulewright.kb.text_file import readable
from rulewright.kb.triples import read_triples
from rulewright.kb.vocabulary import Vocabulary

DATA_VARIABLE = "RULEWRIGHT_DATA"
PACKAGE, CACHE = "package", "cache"
SHIPPED = Path(__file__).with_name("shipped")


@dataclass(frozen=True)
class Place:
    """A folder with a data set, and what led there: the environment variable, the package, or the cache."""

    folder: Path
    found_in: str


def load_dataset(
    name_or_path: str | Path,
    valid_share: float | None = None,
    seed: int = 0,
    *,
    encoding: str = "utf-8",
    separator: str = "\t",
) -> Dataset:
    """The data set of that name or at that path.

    A path is a folder with train.txt (and valid.txt, test.txt, facts.txt), or one file of facts with two arguments in
    any form that `read_facts` knows, which is then split at random. A name is looked up in the folder that the
    environment variable RULEWRIGHT_DATA names, among the sets inside the package, in the user's cache, and downloaded
    there when it is in neither.

    valid_share  the share of the training triples to set aside where the data has no validation triples; None: none,
                 and a tenth of a single file
    seed         of every random choice
    encoding, separator  of text files

    >>> print(load_dataset("nations"))
    nations: 14 entities, 55 relations, 1,592 train, 199 valid, 201 test
    """
    path = Path(name_or_path).expanduser()
    with readable(path):
        single, somewhere = path.is_file(), is_path(name_or_path, path)
    if single:
        return read_single(path, TENTH if valid_share is None else valid_share, seed, encoding, separator)
    if somewhere:
        if not path.is_dir():
            raise DatasetError(f"there is no file or folder {path}")
        with readable(path):
            dataset = read_splits(path, encoding=encoding, separator=separator)
    else:
        dataset = load_by_name(str(name_or_path), encoding, separator)
    return dataset if valid_share is None else with_valid(dataset, valid_share, seed)


def is_path(given: str | Path, path: Path) -> bool:
    """Whether a place is meant; a bare word is a name unless a folder of that name holds training triples."""
    return isinstance(given, Path) or len(path.parts) != 1 or (path / f"{TRAIN}.txt").is_file()


def read_single(path: Path, valid_share: float, seed: int, encoding: str, separator: str) -> Dataset:
    """A data set from one file of facts."""
    if path.suffix.lower() in TRIPLES:
        kb = read_triples(path, separator=separator, encoding=encoding)
    else:
        kb = read_facts(path, encoding=encoding)
    return split_by_seed(kb, path.stem, seed, valid_share)


def load_by_name(name: str, encoding: str, separator: str) -> Dataset:
    """The data set of that name from where it lies, or from where it can be fetched."""
    entry, place = find(name), locate(name)
    if place is None:
        if entry is None:
            raise unknown(name)
        return read_splits(fetch(entry), entry.name)
    title = place.folder.name if entry is None else entry.name
    dataset = read_splits(place.folder, title, encoding=encoding, separator=separator)
    # A name stands for one split; in the cache, files may have been put by hand, and nobody else looks at them.
    if entry is not None and place.found_in == CACHE and (wrong := mismatch(entry, dataset)):
        raise DatasetError(f"{place.folder}: {wrong}; remove it to fetch it again, or load it by its path")
    return dataset


def locate(name: str) -> Place | None:
    """Where the data set of that name lies on this machine, or None."""
    entry = find(name)
    names = [name] if entry is None else [name, entry.name, *entry.aliases]
    folder = in_data_folder(names)
    if folder is not None:
        return Place(folder, DATA_VARIABLE)
    if entry is None:
        return None
    for parent, found_in in ((SHIPPED, PACKAGE), (cache_folder(), CACHE)):
        if (parent / entry.name / f"{TRAIN}.txt").is_file():
            return Place(parent / entry.name, found_in)
    return None


def in_data_folder(names: list[str]) -> Path | None:
    """The sub-folder of RULEWRIGHT_DATA for one of the names, written the same way if there is one."""
    folders = data_folders()
    exact = [folders[name] for name in names if name in folders]
    keys = set(map(key, names))
    alike = [folder for name, folder in sorted(folders.items()) if key(name) in keys]
    return next(iter([*exact, *alike]), None)


def data_folders() -> dict[str, Path]:
    """The data sets in the folder that RULEWRIGHT_DATA names, if it names one."""
    chosen = os.environ.get(DATA_VARIABLE)
    if not chosen:
        return {}
    root = Path(chosen).expanduser()
    if not root.is_dir():
        raise DatasetError(f"the environment variable {DATA_VARIABLE} names {root}, which is no folder")
    return {folder.name: folder for folder in root.iterdir() if (folder / f"{TRAIN}.txt").is_file()}


def unknown(name: str) -> DatasetError:
    """The error for a name that stands for nothing."""
    known = [*(entry.name for entry in REGISTRY), *data_folders()]
    other = " The folder of that name here holds no train.txt." if Path(name).is_dir() else ""
    aliases = [alias for entry in REGISTRY for alias in entry.aliases]
    return DatasetError(
        f"there is no data set {name}{nearest(name, [*known, *aliases])}; known are {', '.join(dict.fromkeys(known))}, "
        f"or give a folder with train.txt, or a file of triples.{other}"
    )


def from_pykeen(dataset: Any, name: str | None = None) -> Dataset:
    """A data set from one of PyKEEN's, or from anything with the same three attributes.

    `training` must have `mapped_triples`, `entity_to_id` and `relation_to_id`; `testing` and `validation` may be None.
    PyKEEN drops validation and test triples with entities that training does not know.
    """
    name = type(dataset).__name__ if name is None else name
    try:
        entities = in_order(dataset.training.entity_to_id, "entity_to_id")
        relations = in_order(dataset.training.relation_to_id, "relation_to_id")
        parts = [rows_of(part) for part in (dataset.training, dataset.validation, dataset.testing)]
    except AttributeError as missing:
        raise DatasetError(f"{name} is not a data set of PyKEEN with labels: {missing}") from missing
    for part in parts:
        if (part < 0).any() or (part >= (len(entities), len(relations), len(entities))).any():
            raise DatasetError(f"{name} has triples with ids beyond its {len(entities)} entities")
    entry = find(name)
    train, valid, test = parts
    return Dataset(name if entry is None else entry.name, entities, relations, train, train, valid, test)


def in_order(ids: dict[str, int], what: str) -> Vocabulary:
    """The vocabulary of names that have ids already."""
    names = sorted(ids, key=ids.__getitem__)
    if [ids[name] for name in names] != list(range(len(names))):
        raise DatasetError(f"the ids of {what} do not count from 0 without gaps")
    return Vocabulary(names)


def rows_of(factory: Any) -> Triples:
    """The triples of one part, none where there is no such part."""
    if factory is None:
        return np.empty((0, 3), dtype=np.int64)
    return np.asarray(factory.mapped_triples, dtype=np.int64).reshape(-1, 3)
