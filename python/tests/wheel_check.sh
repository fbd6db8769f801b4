#!/bin/sh
# Builds the wheel from an existing build (the first argument), installs it into an environment of its own, and parses
# from another folder: sh python/tests/wheel_check.sh build/release
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
COPSE_BUILD=$(cd "$1" && pwd)
export COPSE_BUILD
folder=$COPSE_BUILD/wheel-check
rm -rf "$folder"
mkdir -p "$folder"
/usr/bin/python3 -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir "$folder" "$root"
/usr/bin/python3 -m venv --system-site-packages "$folder/env"
"$folder/env/bin/pip" install --quiet --no-index --no-deps "$folder"/copse-*.whl
unset COPSE_BUILD PYTHONPATH COPSE_MODEL || true
cd "$folder/env"
bin/python - "$folder/env" <<'PYTHON'
import os
import sys

import copse

place = os.path.realpath(sys.argv[1])
assert os.path.realpath(copse.__file__).startswith(place), copse.__file__
nlp = copse.load()
assert os.path.realpath(nlp.path).startswith(place), nlp.path
document = nlp("It works. Everywhere, we hope.")
assert [sentence.text for sentence in document] == ["It works.", "Everywhere, we hope."]
assert [word.form for word in document[0]] == ["It", "works", "."]
assert document[0].heads.tolist() == [2, 0, 2] and document[0][0].deprel == "nsubj"
package = os.path.dirname(copse.__file__)
assert all(os.path.exists(os.path.join(package, name)) for name in ("py.typed", "_copse.pyi", "libcopse_batch.so"))
print(f"wheel: {nlp.path}: {document!r}")
PYTHON
"$folder/env/bin/pip" uninstall --quiet --yes copse
test ! -e "$folder"/env/lib/python3*/site-packages/copse
