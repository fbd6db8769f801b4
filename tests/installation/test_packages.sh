#!/usr/bin/env bash
# test_packages.sh FOLDER: installs the packages in it on this machine, uses what they bring, and removes them. What is
# then left of them, or missing, is a failure. Needs root, or sudo.
set -euo pipefail
folder=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
names=(python3-copse libcopse-dev copse)

for name in "${names[@]}"; do
  if dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q installed; then
    echo "$name is installed on this machine already; purge it first" >&2
    exit 1
  fi
done
list_files() { find /usr /etc /opt /var/lib -xdev -not -path '/var/lib/dpkg/*' -not -path '/var/lib/apt/*' | LC_ALL=C sort; }
remove() { "${as_root[@]}" dpkg --purge "${names[@]}" >/dev/null; }
leave() {
  remove 2>/dev/null || true
  rm -rf "$work"
}
trap leave EXIT

fail() {
  echo "$*" >&2
  exit 1
}

list_files >"$work/before"
"${as_root[@]}" dpkg -i "$folder"/*.deb >"$work/dpkg.log" || { cat "$work/dpkg.log"; exit 1; }
cd "$work"

echo "The dog sees the cat." | /usr/bin/copse parse >parsed
grep -qP '^2\tdog\t.*\t3\tnsubj\t' parsed || fail "copse parse wrote: $(cat parsed)"
for name in "${names[@]}"; do dpkg --verify "$name"; done
# Images for containers leave manual pages out when packages are installed; the archive has them.
dpkg-deb -c "$folder"/copse_*.deb | grep 'usr/share/man/man1/copse-parse.1.gz$' >/dev/null || fail "no manual page of copse parse"
bash -c 'source /usr/share/bash-completion/completions/copse && complete -p copse' >/dev/null

/usr/bin/copse serve --port 0 >address &
server=$!
for _ in $(seq 300); do [ -s address ] && break || sleep 0.1; done
/usr/bin/python3 - "$(sed 's/.* //' address)" <<'PYTHON' || { kill "$server"; fail "the server did not answer"; }
import json, sys, urllib.request
answer = json.load(urllib.request.urlopen(sys.argv[1] + "process?tokenizer&tagger&parser&data=It+works."))
assert "\t2\tnsubj\t" in answer["result"], answer
assert b"<html" in urllib.request.urlopen(sys.argv[1]).read()
PYTHON
kill "$server"
wait "$server" || fail "the server did not stop cleanly"

cmake -S "$here" -B build -G Ninja >/dev/null
cmake --build build --target text_to_trees >build.log || fail "$(cat build.log)"
./build/text_to_trees >printed
grep -qx '2 dog NOUN 3 nsubj' printed || fail "the program of docs/cpp.md printed: $(cat printed)"

# As root, so that bytecode could stay behind.
"${as_root[@]}" /usr/bin/python3 - <<'PYTHON'
import copse, numpy
crf = copse.TreeCRF("first", numpy.zeros((3, 3)))
assert abs(numpy.exp(crf.log_partition) - 3.0) < 1e-9, crf.log_partition
assert copse.__file__.startswith("/usr/lib/python3/dist-packages/"), copse.__file__
if hasattr(copse, "load"):
    heads = [word.head for sentence in copse.load()("The dog sees the cat.").sentences for word in sentence.words]
    assert heads[:3] == [2, 3, 0], heads
PYTHON

cd /
remove
list_files >"$work/after"
diff "$work/before" "$work/after" || fail "the packages leave files behind, or take others with them"
trap - EXIT
rm -rf "$work"
echo "installed, used and removed: ${names[*]}"
