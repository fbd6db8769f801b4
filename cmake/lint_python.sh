#!/usr/bin/env bash
# flake8 and mypy over all Python of the repository. Their configuration is in .flake8 and pyproject.toml.
#
# pylint is left out: of its errors none was true (names that exist at run time only), and it takes twice as long as
# both together.
set -euo pipefail
cd "$(dirname "$0")/.."
# Debian's, which the packages flake8 and mypy belong to; another may come first in PATH.
python=${PYTHON:-/usr/bin/python3}

mapfile -t sources < <(
  git ls-files --cached --others --exclude-standard '*.py'
  git grep --untracked -lE '^#!.*python' -- ':!*.py' ':!*.sh'
)
"$python" -m flake8 "${sources[@]}"
# Two files of the same name cannot be modules at once.
mapfile -t modules < <(printf '%s\n' "${sources[@]}" | grep -v '/conftest\.py$')
"$python" -m mypy --no-error-summary "${modules[@]}"
