import pytest

import copse


@pytest.fixture(scope="session")
def nlp():
    """The English model."""
    return copse.load()
