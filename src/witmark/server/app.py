"""The application behind the guard: routes of the desks, and errors as the doors say them."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse

from witmark import __version__
from witmark.answers import wire
from witmark.bootstrap.answering import AnswersRoom
from witmark.kernel.errors import InputError, OutsideError, WitmarkError
from witmark.server import answers

STATUS: tuple[tuple[type[WitmarkError], int], ...] = ((InputError, 422), (OutsideError, 503))

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
        said = {"code": error.code, "message": _without_place(error), "hint": error.hint}
        return JSONResponse(said, status)

    @app.exception_handler(RequestValidationError)
    async def explain_request(_: Request, error: RequestValidationError) -> JSONResponse:
        """A body that is not what its endpoint documents, with the field at fault."""
        first = error.errors()[0]
        field = "/".join(str(step) for step in first["loc"] if step != "body")
        said = {
            "code": wire.BadRequestError.code,
            "message": f"{field or 'the body'}: {first['msg']}",
            "hint": "see /openapi.json for the fields of this request",
        }
        return JSONResponse(said, 422)

    return app


def _without_place(error: WitmarkError) -> str:
    return str(error).removeprefix(f"{error.place}: ") if error.place else str(error)
