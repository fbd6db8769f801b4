"""Requests byte by byte, for what no library of HTTP would send."""

import socket


def exchange(port, *pieces, timeout=20.0, half_close=False):
    """Sends the pieces one after the other, and returns all that comes back until the server closes or is done."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        for piece in pieces:
            connection.sendall(piece)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        return read_answers(connection)


def read_answers(connection, count=1):
    """The bytes of `count` answers, or of all that came before the other side closed."""
    received = b""
    while len(split_answers(received)[0]) < count:
        try:
            piece = connection.recv(65536)
        except ConnectionResetError:
            break
        if not piece:
            break
        received += piece
    return received


def split_answers(received):
    """Complete answers as (status, headers, body), and the bytes that are left. Interim answers (1xx) are left out."""
    answers = []
    while True:
        head, separator, rest = received.partition(b"\r\n\r\n")
        if not separator:
            return answers, received
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        if 100 <= status < 200:
            received = rest
            continue
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body, rest, is_complete = read_chunks(rest)
        else:
            length = int(headers.get("content-length", "0"))
            body, rest, is_complete = rest[:length], rest[length:], len(rest) >= length
        if not is_complete:
            return answers, received
        answers.append((status, headers, body))
        received = rest


def read_chunks(text):
    body = b""
    while True:
        line, separator, rest = text.partition(b"\r\n")
        if not separator:
            return body, text, False
        length = int(line.split(b";")[0], 16)
        if len(rest) < length + 2:
            return body, text, False
        body += rest[:length]
        text = rest[length + 2 :]
        if length == 0:
            return body, text, True
