"""A client of UDPipe's web service, with nothing but Python's standard library.

Written from the public description of the protocol, without a look at the server: it may do whatever the description and
the standards of HTTP allow.

    client = UdpipeClient("http://127.0.0.1:8001")
    client.models()
    client.process("It works.", tokenizer="", tagger="", parser="")
"""

import dataclasses
import http.client
import json
import secrets
import urllib.parse

PARAMETERS = ("model", "tokenizer", "input", "tagger", "parser", "output")


class ServiceError(Exception):
    """What the service answers to a request that it cannot fulfil: a status, and a text that says why."""

    def __init__(self, status, text, headers):
        super().__init__(f"{status}: {text.strip()}")
        self.status = status
        self.text = text
        self.headers = headers


@dataclasses.dataclass
class Processed:
    model: str
    acknowledgements: list
    result: str


def query_string(parameters):
    """name=value&...; None stands for a name alone, as browsers may send it."""
    quote = lambda text: urllib.parse.quote(text, safe="")
    return "&".join(quote(name) if value is None else f"{quote(name)}={quote(value)}" for name, value in parameters.items())


def multipart_form(parameters):
    """The body, and the Content-Type that announces it."""
    contents = {name: value.encode() for name, value in parameters.items()}
    while True:
        boundary = secrets.token_hex(12)
        if not any(boundary.encode() in content for content in contents.values()):
            break
    body = b""
    for name, content in contents.items():
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + content + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


class UdpipeClient:
    def __init__(self, url, transport="multipart", timeout=60.0):
        """`transport` is how parameters travel: query, urlencoded or multipart."""
        parts = urllib.parse.urlsplit(url)
        self.host, self.port, self.folder = parts.hostname, parts.port, parts.path.rstrip("/")
        self.transport = transport
        self.timeout = timeout

    def request(self, method, path, body=None, headers=None):
        """Status, headers and body of the answer."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        try:
            connection.request(method, self.folder + path, body=body, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def models(self, method="GET"):
        """Names of models with their components, and the name of the default one."""
        answer = self._json(*self.request(method, "/models"))
        return answer["models"], answer["default_model"]

    def process(self, data, **parameters):
        unknown = set(parameters) - set(PARAMETERS)
        if unknown:
            raise TypeError(f"there are no parameters {sorted(unknown)}")
        parameters = {name: value for name, value in parameters.items() if value is not None}
        return self.process_form({"data": data, **parameters})

    def process_form(self, form):
        if self.transport == "query":
            reply = self.request("GET", "/process?" + query_string(form))
        elif self.transport == "urlencoded":
            body = urllib.parse.urlencode(form).encode()
            reply = self.request("POST", "/process", body, {"Content-Type": "application/x-www-form-urlencoded"})
        else:
            body, content_type = multipart_form(form)
            reply = self.request("POST", "/process", body, {"Content-Type": content_type})
        answer = self._json(*reply)
        return Processed(answer["model"], answer["acknowledgements"], answer["result"])

    @staticmethod
    def _json(status, headers, body):
        if status != 200:
            raise ServiceError(status, body.decode(), headers)
        assert headers.get_content_type() == "application/json", headers["Content-Type"]
        return json.loads(body.decode())
