#!/bin/sh
# Runs model $2 from MLIR, and from its task graph alone in the empty directory $3. Outputs, cycles and all else that
# npu-run tells must be the same. The rest of the arguments is for npu-run.
PATH=$1:$PATH; shift # where the tools are
set -e
rm -rf "$2" "$2.mlir"
mkdir -p "$2" "$2.mlir/built"
npu-translate --mlir-to-npu-json "$1" -o "$2.mlir/built/model.npu.json"
mv "$2.mlir/built/model.npu.json" "$2.mlir/built/model.npu.bin" "$2"
rmdir "$2.mlir/built"
model=$1
directory=$2
shift 2
outputs=$(awk '/"outputs": \[/{p=1} p&&/"name"/{n++} /"parameters"/{p=0} END{for(i=0;i<n;i++)printf "--output=@output%d.npy ",i}' "$directory/model.npu.json")
(cd "$directory.mlir" && npu-run "$model" $outputs "$@" > report.txt)
(cd "$directory" && npu-run --allow-host-code model.npu.json $outputs "$@" > report.txt)
for file in "$directory.mlir"/*; do
  cmp "$file" "$directory/$(basename "$file")"
done
echo "$(basename "$directory"): same, $(ls "$directory"/*.npy | wc -l) outputs"
