"""`copse serve` in the background, for tests and measurements."""

import os
import re
import resource
import signal
import subprocess
import tempfile

COPSE = os.environ.get("COPSE_BINARY", "copse")


class RunningServer:
    """Listens on a free port of 127.0.0.1 until it is stopped; `with` stops it at the end. `files` is the number of files
    that it may have open."""

    def __init__(self, *arguments, files=None):
        self._errors = tempfile.TemporaryFile()
        limit = None if files is None else lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        self.process = subprocess.Popen([COPSE, "serve", "--port", "0", *arguments], stdout=subprocess.PIPE,
                                        stderr=self._errors, text=True, preexec_fn=limit)
        line = self.process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if address is None:
            self.process.kill()
            raise RuntimeError(f"the server does not say where it listens, but {line!r} and {self.errors()!r}")
        self.port = int(address[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def errors(self):
        """What it has written to the standard error so far."""
        return os.pread(self._errors.fileno(), 1 << 20, 0).decode()  # without moving where the server writes

    def stop(self, seconds=30):
        """Asks it to stop, and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
