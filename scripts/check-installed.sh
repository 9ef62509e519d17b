#!/usr/bin/env bash
# Uses an installed toolchain as its users do.
# usage: check-installed.sh tools|projects <prefix> <scratch directory>
#   tools     runs them, which needs nothing but what they are linked with
#   projects  builds and runs the examples of plugins, of the C API and of Python; needs a C++ compiler, cmake, MLIR's headers and python3-numpy
set -euo pipefail
what=$1 prefix=$2 scratch=$3
examples=$prefix/share/doc/npu-toolchain/examples
export PATH=$prefix/bin:$PATH

# expect <pattern> <command>...: runs the command, whose output must match.
expect() {
  local pattern=$1 output
  shift
  output=$("$@" 2>&1) || { echo "failed: $*: $output" >&2; exit 1; }
  grep -q -e "$pattern" <<<"$output" || { echo "expected '$pattern' of $*, found: $output" >&2; exit 1; }
}

tools() {
  for tool in npu-compile npu-cycles npu-lsp-server npu-opt npu-quantize npu-reduce npu-run npu-sweep npu-translate; do
    [ "$(command -v "$tool")" = "$prefix/bin/$tool" ]
    expect '^NPU toolchain [0-9.]* on LLVM' "$tool" --version
    expect "complete .*$tool" cat "$prefix/share/bash-completion/completions/$tool"
  done
  expect '^matches host$' npu-run --check "$examples/network.mlir"
  npu-opt --npu-codegen-pipeline=target=npu-v1 "$examples/resnet_conv.flow.mlir" -o "$scratch/conv.mlir"
  npu-translate --mlir-to-npu-asm "$scratch/conv.mlir" -o "$scratch/conv.npuasm"
  expect 'mxu\.conv' cat "$scratch/conv.npuasm"
  expect '^kernel .* cycles' npu-run "$scratch/conv.npuasm"
  expect '^file,target,' npu-cycles --target=npu-v1 "$examples/network.mlir"
  expect '^NPU toolchain [0-9.]* on LLVM' npu-tblgen --version
  expect '`npu-v1`' npu-tblgen -gen-target-doc -I "$prefix/include" "$prefix/include/NPU/Target/Desc/Targets.td"
}

# build <example>: in the scratch directory, from a copy, as if it were one's own.
build() {
  cp -r "$examples/$1" "$scratch/$1"
  expect 'Build files have been written' cmake -S "$scratch/$1" -B "$scratch/$1/build" -DCMAKE_PREFIX_PATH="$prefix"
  expect '' cmake --build "$scratch/$1/build"
}

# Where Debian's Python looks; under another prefix it is told.
python() {
  PYTHONPATH=$prefix/lib/python3/dist-packages /usr/bin/python3 -B "$@"
}

projects() {
  build plugin
  local plugin=$scratch/plugin/build
  expect "kernel 'double' is number 1" npu-opt --load-dialect-plugin="$plugin/NoteDialect.so" --load-pass-plugin="$plugin/CountKernels.so" \
    --count-kernels "$scratch/plugin/note.mlir"
  build c-api
  expect '^output0\[0\] = 8$' "$scratch/c-api/build/main" "$scratch/c-api/model.mlir"
  expect '^output0\[0\] = 8$' python3 "$scratch/c-api/run.py" "$scratch/c-api/model.mlir" "$prefix/lib/libNPU.so.0"
  expect "^$prefix/lib/python3/dist-packages/npu/__init__.py\$" python -c 'import npu; print(npu.__file__)'
  expect '^picture of 3 is a 3 ' python "$examples/python/run.py"
}

mkdir -p "$scratch"
"$what"
echo "$what: passed"
