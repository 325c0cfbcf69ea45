"""The application behind the guard: routes of the desks, and errors as the doors say them."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from witmark import __version__
from witmark.answers import wire
from witmark.bootstrap.answering import AnswersRoom
from witmark.kernel.errors import InputError, NothingThereError, OutsideError, WitmarkError
from witmark.server import answers

STATUS: tuple[tuple[type[WitmarkError], int], ...] = (
    (NothingThereError, 404),
    (InputError, 422),
    (OutsideError, 503),
)
"""The first that fits counts; what fits none is 500."""

_SEE = "see /openapi.json for the endpoints and the fields of their requests"


class NoSuchEndpointError(InputError):
    """A request for a path that is none of the server's."""

    code = "input.no-such-endpoint"
    hint = _SEE


class WrongMethodError(InputError):
    """A request with a method that its endpoint does not take."""

    code = "input.wrong-method"
    hint = _SEE


_OF_HTTP: dict[int, WitmarkError] = {
    404: NoSuchEndpointError("no endpoint has this path"),
    405: WrongMethodError("this endpoint does not take this method"),
}
_NO_JSON = wire.BadRequestError("the body cannot be read as JSON", hint=_SEE)

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Witmark</title>
<h1>Witmark is listening</h1>
<p>This server answers programs on this machine. Ask with
<code>POST /api/knowledge/conversation</code>; every endpoint and field stands in
<a href="/openapi.json">/openapi.json</a>.</p>
</html>
"""


def create_app(room: AnswersRoom) -> FastAPI:
    """Build the application around a workspace that is already open."""
    app = FastAPI(title="Witmark", version=__version__, docs_url=None, redoc_url=None)
    app.include_router(answers.router(room))

    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    async def page() -> str:
        return _PAGE

    @app.exception_handler(WitmarkError)
    async def explain(_: Request, error: WitmarkError) -> JSONResponse:
        """Say the code and the way out. The place stays at home: it may be a path."""
        status = next((s for kind, s in STATUS if isinstance(error, kind)), 500)
        return JSONResponse(_said(error), status)

    @app.exception_handler(RequestValidationError)
    async def explain_request(_: Request, error: RequestValidationError) -> JSONResponse:
        """A body that is not what its endpoint documents, with the field at fault."""
        first = error.errors()[0]
        field = "/".join(str(step) for step in first["loc"] if step != "body")
        what = f"{field or 'the body'}: {wire.said(first)}"
        return JSONResponse(_said(wire.BadRequestError(what, hint=_SEE)), 422)

    @app.exception_handler(HTTPException)
    async def explain_route(_: Request, error: HTTPException) -> JSONResponse:
        """No such endpoint, another method, or a body that is no JSON at all."""
        status = error.status_code if error.status_code in _OF_HTTP else 422
        said = _said(_OF_HTTP.get(status, _NO_JSON))
        return JSONResponse(said, status, headers=dict(error.headers or {}))

    return app


def _said(error: WitmarkError) -> dict[str, str]:
    return {"code": error.code, "message": _without_place(error), "hint": error.hint}


def _without_place(error: WitmarkError) -> str:
    return str(error).removeprefix(f"{error.place}: ") if error.place else str(error)
