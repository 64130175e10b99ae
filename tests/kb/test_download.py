"""A data set arrives whole and as registered, or not at all. The only server here is one of ours, on this machine."""

import http.server
import sys
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from rulewright.errors import DownloadError, MissingExtraError
from rulewright.kb.download import cache_folder, fetch
from rulewright.kb.registry import Entry, Source, content_checksum
from rulewright.kb.splits import TEST, TRAIN, VALID

CONTENT = {
    TRAIN: [("ann", "likes", "bob"), ("bob", "likes", "cy")],
    VALID: [("cy", "likes", "ann")],
    TEST: [("ann", "likes", "cy")],
}
FILES = {part: f"{part}.txt" for part in CONTENT}
PARTS = ["test.txt", "train.txt", "valid.txt"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The folder that the server shows, with a data set in tiny/."""
    folder = tmp_path / "site" / "tiny"
    folder.mkdir(parents=True)
    for part, triples in CONTENT.items():
        # The order and the ends of lines are not the content.
        (folder / FILES[part]).write_bytes("\r\n".join("\t".join(triple) for triple in reversed(triples)).encode())
    return folder.parent


@pytest.fixture
def address(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def tiny(*sources: Source) -> Entry:
    sums = {part: content_checksum(triples) for part, triples in CONTENT.items()}
    sizes = {part: len(triples) for part, triples in CONTENT.items()}
    return Entry("tiny", (), "Z", 3, 1, sizes, sums, "none", "nobody", sources)


def contents(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def pack(site: Path, *names: str) -> None:
    with tarfile.open(site / "tiny.tar.gz", "w:gz") as tar:
        for name in names:
            tar.add(site / "tiny" / Path(name).name, arcname=name)


def test_files_arrive_in_the_cache(address: str, cache: Path) -> None:
    folder = fetch(tiny(Source(f"{address}/tiny", FILES)))
    assert folder == cache / "tiny"
    assert contents(folder) == PARTS
    assert contents(cache) == ["tiny"]
    assert (folder / "test.txt").read_bytes() == b"ann\tlikes\tcy"


def test_only_the_named_files_leave_an_archive(address: str, site: Path) -> None:
    (site / "tiny" / "evil.txt").touch()
    pack(site, "./train.txt", "valid.txt", "test.txt", "../evil.txt")
    folder = fetch(tiny(Source(f"{address}/tiny.tar.gz", FILES)))
    assert contents(folder) == PARTS
    assert not (folder.parent / "evil.txt").exists()


def test_other_content_than_registered_is_refused_and_not_kept(address: str, site: Path, cache: Path) -> None:
    (site / "tiny" / "valid.txt").write_text("cy\tlikes\tbob\n", encoding="utf-8")
    with pytest.raises(DownloadError, match="the content of valid is not that of tiny, split Z"):
        fetch(tiny(Source(f"{address}/tiny", FILES)))
    assert contents(cache / "tiny") == []
    assert contents(cache) == ["tiny"]


@pytest.mark.parametrize("bad", ["no triples", b"\xff\xfe"])
def test_what_is_no_data_set_is_refused(address: str, site: Path, bad: str | bytes) -> None:
    (site / "tiny" / "train.txt").write_bytes(bad if isinstance(bad, bytes) else bad.encode())
    with pytest.raises(DownloadError, match=r"train\.txt:1"):
        fetch(tiny(Source(f"{address}/tiny", FILES)))


@pytest.mark.parametrize("names", [("train.txt", "valid.txt"), ()])
def test_a_broken_archive_is_refused(address: str, site: Path, names: tuple[str, ...]) -> None:
    pack(site, *names)
    if not names:
        (site / "tiny.tar.gz").write_bytes((site / "tiny.tar.gz").read_bytes()[:20])
    with pytest.raises(DownloadError, match=r"the archive holds no test\.txt" if names else "Error"):
        fetch(tiny(Source(f"{address}/tiny.tar.gz", FILES)))


def test_the_next_source_is_asked_when_one_fails(address: str) -> None:
    folder = fetch(tiny(Source(f"{address}/gone.tar.gz", FILES), Source(f"{address}/tiny", FILES)))
    assert contents(folder) == PARTS


def test_a_second_fetch_mends_what_was_there(address: str, cache: Path) -> None:
    entry = tiny(Source(f"{address}/tiny", FILES))
    (fetch(entry) / "train.txt").write_text("broken", encoding="utf-8")
    assert (fetch(entry) / "train.txt").read_bytes().startswith(b"bob\tlikes")


def test_without_a_network_the_error_says_what_to_put_where(cache: Path) -> None:
    entry = tiny(Source("http://127.0.0.1:9/tiny", FILES), Source("http://127.0.0.1:9/tiny.tar.gz", FILES))
    with pytest.raises(DownloadError) as failure:
        fetch(entry)
    assert "put these files into " + str(cache / "tiny") in str(failure.value)
    assert "http://127.0.0.1:9/tiny/valid.txt as valid.txt" in str(failure.value)
    assert "http://127.0.0.1:9/tiny.tar.gz: ConnectionError: [Errno" in str(failure.value)
    with pytest.raises(
        DownloadError, match=r"unpack train\.txt, valid\.txt, test\.txt out of http://127\.0\.0\.1:9/tiny"
    ):
        fetch(tiny(entry.sources[1]))


def test_a_shipped_set_that_is_gone_is_not_looked_for_elsewhere() -> None:
    with pytest.raises(DownloadError, match="install rulewright again"):
        fetch(tiny())


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file"))
    with pytest.raises(DownloadError, match="name another folder in RULEWRIGHT_CACHE"):
        fetch(tiny())


def test_without_pooch_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(MissingExtraError, match=r"rulewright\[data\]"):
        fetch(tiny())


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", None, "~/.cache/rulewright"),
        ("linux", "XDG_CACHE_HOME", "there/rulewright"),
        ("darwin", None, "~/Library/Caches/rulewright"),
        ("win32", None, "~/AppData/Local/rulewright"),
        ("win32", "LOCALAPPDATA", "there/rulewright"),
    ],
)
def test_the_cache_lies_where_the_platform_wants_it(
    monkeypatch: pytest.MonkeyPatch, platform: str, variable: str | None, expected: str
) -> None:
    for name in ("RULEWRIGHT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    if variable is not None:
        monkeypatch.setenv(variable, "there")
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == Path(expected).expanduser()
