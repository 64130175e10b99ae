"""serve(run folder): the explorer on a port of this machine."""

import gc
import socket
import sys
import webbrowser
from ipaddress import ip_address
from pathlib import Path

from rulewright.errors import MissingExtraError, OptionError
from rulewright.logic.harmless import harmless
from rulewright.web.app import create_app
from rulewright.web.run import open_run
from rulewright.web.warm_up import warm_up

try:
    import uvicorn
except ImportError as cause:
    raise MissingExtraError("the explorer", "web") from cause

LOOPBACK = "127.0.0.1"
PORT = 8321
QUEUE = 256  # connections that may wait
TURN = 0.0005  # seconds that a page in the making holds the others up, before the thread that answers has its turn
IDLE = 75  # seconds for which a connection is kept; hanging up too soon meets requests that are on their way


def serve(folder: Path, host: str = LOOPBACK, port: int = PORT, browse: bool = False) -> None:
    """Serve a run until interrupted."""
    listener = listening(host, port)  # first, so that a port in use is reported before a large run is read
    with listener:
        if not is_loopback(host):
            say(f"warning: {host} can be reached from other machines; whoever can reach it can read the whole run")
        run = open_run(folder, say)
        say("compiling and trying every page; the first time on a machine takes half a minute")
        warm_up(run)
        sys.setswitchinterval(TURN)
        gc.collect()
        gc.freeze()  # what was read stays to the end: to look through it for garbage would hold up a page by 0.1 s
        app = create_app(run, [host])
        address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/"
        say(f"serving {folder} at {address} (Ctrl-C ends it)")
        if browse:
            webbrowser.open(address)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, lifespan="off", timeout_keep_alive=IDLE
        )
        uvicorn.Server(config).run(sockets=[listener])


def listening(host: str, port: int) -> socket.socket:
    """A socket at the address, or what stands against it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio sends small answers at once only on sockets that state it.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(QUEUE)
    except (OSError, OverflowError) as cause:
        listener.close()
        reason = getattr(cause, "strerror", None) or cause
        raise OptionError(f"cannot serve at {host}, port {port}: {reason}; choose another with --port") from cause
    return listener


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def say(text: str) -> None:
    """A line for whoever started the server; paths may hold anything."""
    sys.stderr.write(harmless(text) + "\n")
    sys.stderr.flush()
