"""Speaks HTTP with the browser; what is no HTTP at all gets an answer that is as guarded as the
others.
"""

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from dpmap.studio.auth import HEADERS


class Protocol(H11Protocol):
    """Reads requests as the server's own protocol does, whatever faster one is installed."""

    def send_400_response(self, msg: str) -> None:
        """Answers what cannot be read, with the headers of every answer, and hangs up."""
        reply_headers = {
            "content-type": "text/plain; charset=utf-8",
            "connection": "close",
            **HEADERS,
        }
        headers = [(name.encode(), value.encode()) for name, value in reply_headers.items()]
        try:
            for event in (
                h11.Response(status_code=400, headers=headers),
                h11.Data(data=msg.encode()),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:  # an answer was under way already
            pass
        self.transport.close()
