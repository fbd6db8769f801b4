#!/usr/bin/env bash
# run_examples.sh BUILD: runs the programs that were built there, and compares what they print with docs/cpp.md.
set -euo pipefail
build=$(realpath "$1")
page=$(dirname "$(realpath "$0")")/../../docs/cpp.md
failed=0

# block MARK: the block of code after the comment MARK.
block() {
  awk -v mark="<!-- $1 -->" '$0 == mark { found = 1; next } found && /^```/ { if (++fences == 2) exit; next } fences' "$page"
}

"$build/outside"
"$build/readme"
for name in text_to_trees questions threads own_scores; do
  block "output of $name" >"$build/$name.expected"
  "$build/$name" >"$build/$name.printed"
  diff "$build/$name.expected" "$build/$name.printed" || { echo "$name does not print what docs/cpp.md says"; failed=1; }
done

printf '1\tIt\t_\t_\t_\t_\t_\t_\t_\t_\n2\tworks\t_\t_\t_\t_\t_\t_\t_\t_\n\n' >"$build/words.conllu"
"$build/files" "$build/words.conllu" "$build/parsed.conllu"
grep -qP '^1\tIt\tit\tPRON\t.*\t2\tnsubj\t_\t.*P=' "$build/parsed.conllu" || { cat "$build/parsed.conllu"; failed=1; }
if "$build/files" "$build/none.conllu" 2>"$build/error"; then failed=1; fi
grep -q 'none.conllu' "$build/error" || { cat "$build/error"; failed=1; }
exit $failed
