import pytest
from running_server import RunningServer


@pytest.fixture(scope="session")
def server():
    with RunningServer("--model", "english-ewt-ud-2.15=english", "--model", "second-best=english", "--threads", "2") as running:
        yield running
        assert running.process.poll() is None, "the server has died"
        assert running.stop() == 0
