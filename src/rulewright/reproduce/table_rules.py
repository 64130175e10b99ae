"""Which of the seven rules that the paper prints for FB15K-237 are learned, and with what weight.

The paper abbreviates relation names; RULES spells them out as the data set has them, ^-1 where the paper swaps
arguments.
"""

from typing import Any

from rulewright.completion.mixture import Mixture
from rulewright.completion.model import CompletionModel
from rulewright.completion.rules import WeightedRule, rules_of

LANGUAGE = "/language/human_language/countries_spoken_in"
CONTAINS = "/location/location/contains"
MARRIED_IN = "/people/person/spouse_s./people/marriage/location_of_ceremony"

# head relation, body relations from the query's entity to the answer
RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("/people/person/languages", ("/people/person/nationality", f"{LANGUAGE}^-1")),
    ("/film/film/language", ("/film/film/country", f"{LANGUAGE}^-1")),
    ("/tv/tv_program/languages", ("/tv/tv_program/country_of_origin", "/location/country/official_language")),
    ("/people/deceased_person/place_of_burial", ("/people/person/nationality", CONTAINS)),
    (
        "/tv/tv_program/country_of_origin",
        (
            "/tv/tv_program/regular_cast./tv/regular_tv_appearance/actor",
            "/people/person/place_of_birth",
            f"{CONTAINS}^-1",
        ),
    ),
    (
        "/film/film/release_date_s./film/film_regional_release_date/film_release_region",
        ("/film/film/other_crew./film/film_crew_gig/crewmember", MARRIED_IN, f"{CONTAINS}^-1"),
    ),
    (
        MARRIED_IN,
        (
            "/base/popstra/celebrity/friendship./base/popstra/friendship/participant",
            MARRIED_IN,
            "/location/location/adjoin_s./location/adjoining_relationship/adjoins",
        ),
    ),
)


def rules_in(model: CompletionModel) -> list[dict[str, Any]]:
    """What a model learned of FB15K-237 has of the seven rules."""
    return [found(model, number, head, body) for number, (head, body) in enumerate(RULES, start=1)]


def found(model: CompletionModel, number: int, head: str, body: tuple[str, ...]) -> dict[str, Any]:
    """One rule: whether its path was mined, its weight, and its place among the relation's path rules."""
    relation = model.relation_id(head)
    steps = [model.relation_id(name) for name in body]
    mixture = model.mixture(relation)
    mined = [place for place, path in enumerate(mixture.paths.tolist()) if [s for s in path if s >= 0] == steps]
    weight = float(mixture.weights[mined[0]]) if mined else 0.0
    paths = [rule for rule in rules_of(model, relation) if rule.kind == "path"]
    place = next((at for at, rule in enumerate(paths, start=1) if weight and same(rule, mixture, mined[0])), None)
    return {
        "number": number,
        "head": head,
        "body": list(body),
        "mined": bool(mined),
        "weight": weight,
        "place": place,
        "of": len(paths),
        "confidence": float(mixture.confidence[mined[0]]) if mined else None,
    }


def same(rule: WeightedRule, mixture: Mixture, place: int) -> bool:
    """Whether a rendered rule is a certain path of the mixture."""
    return rule.weight == float(mixture.weights[place]) and rule.confidence == float(mixture.confidence[place])
