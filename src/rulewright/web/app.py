"""create_app(run): the explorer of one run as an ASGI application."""

from collections.abc import Iterable
from pathlib import Path

from rulewright.errors import InputError, MissingExtraError, RulewrightError
from rulewright.web.guard import Guard
from rulewright.web.kept import Kept
from rulewright.web.routes import about_run, routes, skin
from rulewright.web.run import Run

try:
    from fastapi import FastAPI, Request, Response
    from fastapi.exceptions import RequestValidationError
    from fastapi.staticfiles import StaticFiles
    from starlette.exceptions import HTTPException
except ImportError as cause:
    raise MissingExtraError("the explorer", "web") from cause

STATIC = Path(__file__).parent / "static"
WORDS = {404: "there is no such page", 405: "pages can be read, nothing else"}


def create_app(run: Run, hosts: Iterable[str] = ()) -> Guard:
    """The explorer of a run; `hosts` are names besides localhost under which it may be asked.

    What the user asked wrongly is answered with the library's own words and status 400, as the command line does; a
    failure of ours with 500 and no word of where.
    """
    # No pages about the addresses: those that FastAPI makes load their scripts from elsewhere.
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(routes(run))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    about = about_run(run)

    def error(request: Request, status: int, message: str) -> Response:
        data = {"page": "error", "title": "That did not work", "status": status, "error": message}
        return skin(request, data, about, status)

    def on_mistake(request: Request, mistake: Exception) -> Response:
        return error(request, 400, str(mistake))

    def on_failure(request: Request, failure: Exception) -> Response:
        return error(request, 500, str(failure) if isinstance(failure, RulewrightError) else "something went wrong")

    def on_status(request: Request, found: Exception) -> Response:
        assert isinstance(found, HTTPException)
        return error(request, found.status_code, WORDS.get(found.status_code, str(found.detail)))

    def on_parameters(request: Request, found: Exception) -> Response:
        assert isinstance(found, RequestValidationError)
        problems = [f"{problem['loc'][-1]}: {problem['msg']}" for problem in found.errors()]
        return error(request, 400, "; ".join(problems))

    for kind, handler in (
        (InputError, on_mistake),
        (RulewrightError, on_failure),
        (RequestValidationError, on_parameters),
        (HTTPException, on_status),
        (Exception, on_failure),
    ):
        app.add_exception_handler(kind, handler)
    return Guard(Kept(app), hosts)
