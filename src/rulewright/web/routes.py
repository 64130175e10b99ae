"""Addresses and their parameters: what a request may say, and which page it gets.

Every page has a twin: /relation?relation=treats for people, /relation.json?relation=treats for programs.
"""

from asyncio import get_running_loop
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Annotated, Any

from rulewright.errors import MissingExtraError
from rulewright.web.ask import SHOWN, ask_page, names_page
from rulewright.web.asked import entity_asked, relation_asked
from rulewright.web.explanation import counterfactual_page, explanation_page
from rulewright.web.facts import fact_page, facts_page, fired_rule_page
from rulewright.web.links import LONGEST_NAME
from rulewright.web.overview import graph_overview, template_overview
from rulewright.web.relation import View, relation_page
from rulewright.web.rule import rule_page
from rulewright.web.run import GraphRun, Run, TemplateRun
from rulewright.web.skins import html, plain
from rulewright.web.template import mixture_page, template_page
from rulewright.web.wording import Data

try:
    from fastapi import APIRouter, Query, Request, Response
except ImportError as cause:
    raise MissingExtraError("the explorer", "web") from cause

JSON = ".json"
LARGEST = 1 << 40
# Threads that make pages take turns, and the one that answers has to wait for its own: with many, even pages that are
# kept would come late. What takes seconds has a thread to itself, so that it cannot take all of them.
WORKERS = 3

Name = Annotated[str, Query(max_length=LONGEST_NAME)]
Word = Annotated[str, Query(max_length=100)]
Number = Annotated[int | None, Query(ge=0, le=LARGEST)]
Count = Annotated[int, Query(ge=0, le=LARGEST)]

Page = Callable[..., Data]
Add = Callable[..., Callable[[Page], Page]]


def routes(run: Run) -> APIRouter:
    """The pages of a run."""
    router = APIRouter()
    about = about_run(run)
    workers = ThreadPoolExecutor(WORKERS)
    one_worker = ThreadPoolExecutor(1)

    def page(path: str, slow: bool = False) -> Callable[[Page], Page]:
        def add(make: Page) -> Page:
            @wraps(make)
            async def skinned(request: Request, **asked: Any) -> Response:
                work = partial(made, make, about, request, asked)
                return await get_running_loop().run_in_executor(one_worker if slow else workers, work)

            for address in (path, "/overview.json" if path == "/" else path + JSON):
                router.add_api_route(address, skinned, methods=["GET", "HEAD"], response_model=None)
            return make

        return add

    if isinstance(run, GraphRun):
        add_graph_pages(run, page)
    else:
        add_template_pages(run, page)
    return router


def made(make: Page, about: Data, request: Request, asked: dict[str, Any]) -> Response:
    """A page, from its data to its bytes."""
    return skin(request, make(request, **asked), about)


def about_run(run: Run) -> Data:
    """What every page says of the run."""
    return {"title": run.title, "kind": "graph" if isinstance(run, GraphRun) else "template"}


def skin(request: Request, data: Data, about: Data, status: int = 200) -> Response:
    """The page as its address asks for it."""
    address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if request.url.path.endswith(JSON):
        return Response(plain(data), status, media_type="application/json")
    return Response(html(data, about, address), status, media_type="text/html")


def add_graph_pages(run: GraphRun, page: Add) -> None:
    """Overview, relation, rule, ask, explanation, template."""
    model = run.model

    @page("/")
    def overview(request: Request, q: Word = "", sort: Word = "facts") -> Data:
        return graph_overview(run, q, sort)

    @page("/relation")
    def rules(
        request: Request,
        relation: Name = "",
        relation_id: Number = None,
        q: Word = "",
        kind: Word = "",
        sort: Word = "use",
        page: Count = 1,
    ) -> Data:
        return relation_page(run, relation_asked(model, relation, relation_id), View(q, kind, sort, page))

    @page("/rule")
    def one_rule(
        request: Request,
        relation: Name = "",
        relation_id: Number = None,
        rule: Word = "",
        only: Word = "",
        head: Count = 0,
        answer: Count = 0,
    ) -> Data:
        return rule_page(run, relation_asked(model, relation, relation_id), rule, only, head, answer)

    @page("/ask")
    def ask(
        request: Request,
        head: Name = "",
        head_id: Number = None,
        relation: Name = "",
        relation_id: Number = None,
        only: Word = "",
        top: Count = SHOWN,
    ) -> Data:
        subject = entity_asked(model, "head", head, head_id) if head or head_id is not None else None
        directed = relation_asked(model, relation, relation_id) if relation or relation_id is not None else None
        return ask_page(run, subject, directed, only, top)

    @page("/names")
    def names(request: Request, of: Word = "entity", part: Name = "") -> Data:
        return names_page(run, of, part)

    def explained(make: Callable[[GraphRun, int, int, int], Data]) -> Page:
        def explanation(
            request: Request,
            head: Name = "",
            head_id: Number = None,
            relation: Name = "",
            relation_id: Number = None,
            tail: Name = "",
            tail_id: Number = None,
        ) -> Data:
            subject, answer = entity_asked(model, "head", head, head_id), entity_asked(model, "tail", tail, tail_id)
            return make(run, subject, relation_asked(model, relation, relation_id), answer)

        return explanation

    page("/explanation")(explained(explanation_page))
    page("/counterfactual", slow=True)(explained(counterfactual_page))

    @page("/template")
    def tree(request: Request, relation: Name = "", relation_id: Number = None) -> Data:
        return mixture_page(run, relation_asked(model, relation, relation_id))


def add_template_pages(run: TemplateRun, page: Add) -> None:
    """Overview, template, rule, and the facts that follow."""

    @page("/")
    def overview(request: Request) -> Data:
        return template_overview(run)

    @page("/template")
    def tree(request: Request) -> Data:
        return template_page(run)

    @page("/rule")
    def one_rule(request: Request, rule: Count = 0, page: Count = 1) -> Data:
        return fired_rule_page(run, rule, page)

    @page("/ask")
    def ask(request: Request, q: Name = "", page: Count = 1) -> Data:
        return facts_page(run, q, page)

    @page("/explanation")
    def explanation(request: Request, fact: Count = 0) -> Data:
        return fact_page(run, fact)
