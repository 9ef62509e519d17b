#!/bin/sh
# Runs model $2 from MLIR, and from its task graph alone in the empty directory $3. Outputs, cycles and all else that
# npu-run tells must be the same.
PATH=$1:$PATH; shift # where the tools are
set -e
rm -rf "$2" "$2.mlir"
mkdir -p "$2" "$2.mlir/built"
npu-translate --mlir-to-npu-json "$1" -o "$2.mlir/built/model.npu.json"
mv "$2.mlir/built/model.npu.json" "$2.mlir/built/model.npu.bin" "$2"
rmdir "$2.mlir/built"
outputs=$(awk '/"outputs": \[/{p=1} p&&/"name"/{n++} /"parameters"/{p=0} END{for(i=0;i<n;i++)printf "--output=@output%d.npy ",i}' "$2/model.npu.json")
(cd "$2.mlir" && npu-run "$1" $outputs > report.txt)
(cd "$2" && npu-run model.npu.json $outputs > report.txt)
for file in "$2.mlir"/*; do
  cmp "$file" "$2/$(basename "$file")"
done
echo "$(basename "$2"): same, $(ls "$2"/*.npy | wc -l) outputs"
