#!/usr/bin/env bash
# Tests copse.torch on a machine with a GPU that has PyTorch and nothing else of what Copse is built with.
#
#   python/tests/gpu_check.sh pack     where Copse is built: makes build/torch-package (needs nvcc, no GPU)
#   python/tests/gpu_check.sh run      where the GPU is, with the sources and build/torch-package: tests, timings
set -euo pipefail
cd "$(dirname "$0")/../.."
package=build/torch-package

pack() {
  cmake --preset release -B build/cuda -DCOPSE_CUDA=ON ${COPSE_CONFIGURE:-} >/dev/null
  cmake --build build/cuda --target copse_package
  rm -rf "$package"
  mkdir -p "$package/copse"
  cp build/cuda/python/copse/*.py build/cuda/python/copse/libcopse_batch.so "$package/copse"
  # What it is linked with that such a machine does not have; it looks for them beside itself first.
  ldd "$package/copse/libcopse_batch.so" | awk '/lib(fmt|hwy)\.so/ { print $3 }' | xargs -I{} cp -L {} "$package/copse"
  du -sh "$package"
}

run() {
  local python=${PYTHON:-python3} treebank=()
  [ -n "${TREEBANK:-}" ] && treebank=(--treebank "$TREEBANK")
  export PYTHONPATH=$PWD/$package:$PWD/python/tests PYTHONDONTWRITEBYTECODE=1
  "$python" -c 'import sys, torch, copse._batch_library as library
print("PyTorch", torch.__version__, "Copse", library.__version__)
sys.exit(library.obstacle("cuda") or print(torch.cuda.get_device_name()))'
  "$python" -m unittest test_torch test_torch_batches
  for batch in 256 1024; do
    "$python" python/tests/torch_timings.py "${treebank[@]}" --batch "$batch" first sibling
  done
  "$python" python/tests/torch_timings.py "${treebank[@]}" --batch 64 --longest 40 first sibling grandchild
}

case "${1:-}" in
  pack) pack ;;
  run) run ;;
  *)
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
