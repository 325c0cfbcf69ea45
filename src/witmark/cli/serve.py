"""``witmark serve``: a workspace over HTTP, on this machine alone."""

from pathlib import Path

import click

from witmark.cli.options import config_option
from witmark.cli.workspaces import progress_on_terminal, workspace_option


@click.command("serve")
@workspace_option
@click.option(
    "--host",
    type=click.Choice(["127.0.0.1", "::1"]),
    default="127.0.0.1",
    show_default=True,
    help="Which loopback address to listen on; there is no other.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="0, or a port that is taken: any free one.",
)
@config_option
@click.option("--no-model", is_flag=True, help="Ask no model, whatever the settings say.")
@click.option("--json", "as_json", is_flag=True, help="Say url, link and token as JSON.")
def command(  # noqa: PLR0913 - one parameter per option
    *, workspace: str, host: str, port: int, config: Path | None, no_model: bool, as_json: bool
) -> None:
    """Serve a workspace on loopback until Ctrl-C.

    A browser opens the link it prints (good once); a program sends the token as
    `Authorization: Bearer TOKEN`. Both are new at every start and stand in no file.
    """
    from witmark.bootstrap.answering import AnswersRoom
    from witmark.bootstrap.answers_model import answers_gateway
    from witmark.server.serving import serve

    gateway = None if no_model else answers_gateway(config)
    room = AnswersRoom(workspace, gateway=gateway)
    with progress_on_terminal() as show:
        room.refreshed(progress=show)
    serve(room, host, port, say=click.echo, as_json=as_json)
