"""The benchmark data sets known by name: their sizes, what their content adds up to, their licence, where they lie.

Several splits circulate under one name, and results on them must not be compared. A checksum here is taken over the
content (the sorted distinct lines of a part), so neither the order of the lines nor their ends matter, and a file that
passes is the split it claims to be. An address holds the id of a commit wherever its host knows such, so that what
lies there cannot change.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulewright.kb.splits import FACTS, TEST, TRAIN, VALID, Dataset

GITHUB = "https://raw.githubusercontent.com"
CONVE = f"{GITHUB}/TimDettmers/ConvE"
KGE = f"{GITHUB}/DeepGraphLearning/KnowledgeGraphEmbedding/617062aaedf53bf4d6b44450a580a96dc30e0632/data"
MINERVA = f"{GITHUB}/shehzaadzd/MINERVA"
# Two files of the second and one of the third task were replaced after the first commit; these are the later ones.
FIRST = "53e11d80d72bac89f5cd0bf42ae429ebee8109c0/datasets/data_preprocessed"
LATER = "575f6686d7bcfa95f0a1ad614125af0347d0a44f/datasets/data_preprocessed"
ARCHIVE = ".tar.gz"
PLAIN = {part: f"{part}.txt" for part in (TRAIN, VALID, TEST)}

NOT_STATED = "not stated by the publishers"
IN_PYKEEN = f"MIT, as part of PyKEEN 1.11.1; of the facts themselves {NOT_STATED}"
DETTMERS = "Dettmers, Minervini, Stenetorp, Riedel: Convolutional 2D Knowledge Graph Embeddings, AAAI 2018"
BOUCHARD = (
    "Bouchard, Singh, Trouillon: On Approximate Reasoning Capabilities of Low-Rank Vector Spaces, AAAI Spring 2015"
)
KEMP = (
    "Kemp, Tenenbaum, Griffiths, Yamada, Ueda: "
    "Learning Systems of Concepts with an Infinite Relational Model, AAAI 2006"
)
TOUTANOVA = "Toutanova, Chen: Observed versus Latent Features for Knowledge Base and Text Inference, CVSC 2015"


@dataclass(frozen=True)
class Source:
    """One place from which all files of a data set can be fetched.

    address  of a folder, or of a .tar.gz archive
    files    part -> the file's path in there
    """

    address: str
    files: Mapping[str, str]

    @property
    def is_archive(self) -> bool:
        return self.address.endswith(ARCHIVE)

    def addresses(self) -> dict[str, str]:
        """What to fetch, by the name to give it: the archive, or each file, which is named after its part."""
        if self.is_archive:
            return {f"archive{ARCHIVE}": self.address}
        return {f"{part}.txt": f"{self.address}/{path}" for part, path in self.files.items()}


@dataclass(frozen=True)
class Entry:
    """A data set known by name.

    split      which of the circulating splits it is, by the letters of the guide on data sets, or who published it
    sizes      part -> distinct triples
    checksums  part -> `content_checksum` of its triples
    licence    as published
    sources    where to fetch it, in this order; none for a set inside the package
    """

    name: str
    aliases: tuple[str, ...]
    split: str
    entities: int
    relations: int
    sizes: Mapping[str, int]
    checksums: Mapping[str, str]
    licence: str
    reference: str
    sources: tuple[Source, ...] = ()

    @property
    def shipped(self) -> bool:
        return not self.sources


REGISTRY = (
    Entry(
        "umls",
        ("UMLS",),
        "A (ConvE, MINERVA)",
        135,
        46,
        {TRAIN: 5216, VALID: 652, TEST: 661},
        {
            TRAIN: "de6801fd5ca13372b5a0f314462fac674346badc292462c58e2f2852c147534f",
            VALID: "64c7771d5b5e2b5d76eaf93c758b45130c89cf419c5b963689956209ec213c95",
            TEST: "cc119a3289e7f3a4f389b9f9e42d76e36a305f48ae5292315cfd0488083a2e14",
        },
        IN_PYKEEN,
        KEMP,
    ),
    Entry(
        "kinship",
        ("kinships", "Kinships"),
        "A (ConvE, MINERVA)",
        104,
        25,
        {TRAIN: 8544, VALID: 1068, TEST: 1074},
        {
            TRAIN: "ebbbfcdbc08e6e9c9c4f8a40e4eb60ac25e105d6f65bb7f4c7234cf9c5f4a539",
            VALID: "e4f7d94a2bc5373e7306edcc42458a99a9ef4218c7cd0137a47db10dd1c2b88b",
            TEST: "1d2f6e45db7d59ef6e92822f73fd4350cb0bfa2f043c3fa054aa05a0b4bdd821",
        },
        IN_PYKEEN,
        KEMP,
    ),
    Entry(
        "nations",
        ("Nations",),
        "of PyKEEN",
        14,
        55,
        {TRAIN: 1592, VALID: 199, TEST: 201},
        {
            TRAIN: "221440ca1f3f182772e0947b882f6ca78014d9defc61d5052f67503b36796e80",
            VALID: "5149131c1c9732f780a1097b99145e2c3f1edbb1051faccc7a90fb1efb574b05",
            TEST: "19bde3b6d6f573e1bcc4bd50e52f3954243293a64ec2455a298e9941f71a7002",
        },
        IN_PYKEEN,
        KEMP,
    ),
    Entry(
        "WN18RR",
        ("wn18rr", "WN18-RR"),
        "standard (ConvE)",
        40943,
        11,
        {TRAIN: 86835, VALID: 3034, TEST: 3134},
        {
            TRAIN: "70fbc1c7881f33bd10c77bb493127fad58e5720f260d39c137fc927ecfb5d7f6",
            VALID: "0f42971b8aa35b97350a9aec3e2015bdce5d33636ed2d5a5b9ea5b2ea5f36547",
            TEST: "92f29d2ed83e81896b91575792696fb4d79db289789128f4c1ddbb38b1a07350",
        },
        f"{NOT_STATED}; derived from WordNet",
        DETTMERS,
        (
            Source(f"{KGE}/wn18rr", PLAIN),
            Source(f"{CONVE}/86eb7dcbbea5f1074529db70654517713030ba62/WN18RR{ARCHIVE}", PLAIN),
        ),
    ),
    Entry(
        "FB15k-237",
        ("fb15k-237", "FB15k237", "FB15K-237"),
        "standard (Toutanova and Chen)",
        14541,
        237,
        {TRAIN: 272115, VALID: 17535, TEST: 20466},
        {
            TRAIN: "8d2a771809b0f38f2824c839f25ec57e3a187405049112751e72c82ee9eb3e12",
            VALID: "1c4febacc6daabc6f3f8e72650935126ef208b098be3a90a81780ba69401836d",
            TEST: "a7156e4560d173ee2e3e8504c490e95d14fa893f1863a6d584d2f5053489a647",
        },
        f"{NOT_STATED}; derived from Freebase",
        TOUTANOVA,
        (
            Source(f"{CONVE}/9e3ad48b3f7bdf1f512dca1723b77bce500508e1/FB15k-237{ARCHIVE}", PLAIN),
            Source(f"{KGE}/FB15k-237", PLAIN),
        ),
    ),
    Entry(
        "countries_S1",
        ("countries-s1",),
        "of MINERVA",
        271,
        2,
        {FACTS: 1110, TRAIN: 1110, VALID: 24, TEST: 24},
        {
            FACTS: "07b02a9deda500b0b89113651343d4e21c36ffc757fcf88c56556b2ddf521350",
            TRAIN: "07b02a9deda500b0b89113651343d4e21c36ffc757fcf88c56556b2ddf521350",
            VALID: "42567207482dfebca8411cada7fad6cd40bf1956e6cde8bce22d0fca04483fe9",
            TEST: "d3d92a24b79ac49efbbe7ee1afe2d200ca9d9ed699ed7ce1c7fdcc778673b988",
        },
        NOT_STATED,
        BOUCHARD,
        (
            # The first task asks the third one's questions, and its graph is what it trains on.
            Source(
                f"{MINERVA}/{FIRST}",
                {
                    FACTS: "countries_S1/train.txt",
                    TRAIN: "countries_S1/train.txt",
                    VALID: "countries_S3/dev.txt",
                    TEST: "countries_S3/test.txt",
                },
            ),
        ),
    ),
    Entry(
        "countries_S2",
        ("countries-s2",),
        "of MINERVA",
        271,
        2,
        {FACTS: 1062, TRAIN: 118, VALID: 24, TEST: 24},
        {
            FACTS: "e4403546037655642972a954db3198b0411a31256805db280617a25c6088d0de",
            TRAIN: "7ccf95f0a4b88a0ee4db4cc33233bad626b95e26a0abd521bf7dbd8ce588c55f",
            VALID: "b5ee4f8989894e93cca5ceb5909f9a2190d73cf7385c9a490daf8267a86a9a31",
            TEST: "f4ef5ffea82e991bc9d526d9ac914ee3542cb8dce60909177430e8e3882bf682",
        },
        NOT_STATED,
        BOUCHARD,
        (
            Source(
                MINERVA,
                {
                    FACTS: f"{FIRST}/countries_S2/graph.txt",
                    TRAIN: f"{LATER}/countries_S2/train.txt",
                    VALID: f"{LATER}/countries_S2/dev.txt",
                    TEST: f"{FIRST}/countries_S2/test.txt",
                },
            ),
        ),
    ),
    Entry(
        "countries_S3",
        ("countries-s3",),
        "of MINERVA",
        271,
        2,
        {FACTS: 978, TRAIN: 34, VALID: 24, TEST: 24},
        {
            FACTS: "3beb16577865176b0f1b27ce2b60f6b40a5ea6d88bbf360b255ed23fc26d7bcf",
            TRAIN: "76737ea15f7ece0d3f4ab2b0d25dcf1f81b7855162f7d67a1b66d99db2abcef9",
            VALID: "42567207482dfebca8411cada7fad6cd40bf1956e6cde8bce22d0fca04483fe9",
            TEST: "d3d92a24b79ac49efbbe7ee1afe2d200ca9d9ed699ed7ce1c7fdcc778673b988",
        },
        NOT_STATED,
        BOUCHARD,
        (
            Source(
                MINERVA,
                {
                    FACTS: f"{FIRST}/countries_S3/graph.txt",
                    TRAIN: f"{LATER}/countries_S3/train.txt",
                    VALID: f"{FIRST}/countries_S3/dev.txt",
                    TEST: f"{FIRST}/countries_S3/test.txt",
                },
            ),
        ),
    ),
)


def key(name: str) -> str:
    """A name without what people write differently: case, hyphens, underscores."""
    return name.casefold().replace("-", "").replace("_", "")


def find(name: str) -> Entry | None:
    """The entry of that name or alias, or None."""
    return next((entry for entry in REGISTRY if key(name) in map(key, (entry.name, *entry.aliases))), None)


def content_checksum(triples: Iterable[tuple[str, str, str]]) -> str:
    """SHA-256 over the sorted distinct lines `head <tab> relation <tab> tail <newline>`."""
    lines = sorted({"\t".join(triple) + "\n" for triple in triples})
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def checksums(dataset: Dataset) -> dict[str, str]:
    """The content checksum of every part."""
    return {part: content_checksum(dataset.named(triples)) for part, triples in dataset.parts().items()}


def differing(entry: Entry, sums: Mapping[str, str]) -> list[str]:
    """The parts whose content is not the registered one; none when it is the very data set."""
    return [part for part in {**entry.checksums, **sums} if entry.checksums.get(part) != sums.get(part)]


def mismatch(entry: Entry, dataset: Dataset) -> str:
    """What tells a data set from the registered one, or nothing."""
    wrong = differing(entry, checksums(dataset))
    return f"the content of {', '.join(wrong)} is not that of {entry.name}, split {entry.split}" if wrong else ""
