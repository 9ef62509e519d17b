#!/bin/sh
# Edits $2/m.npu.json by the sed program $3. Both tools must refuse the result with one and the same line and exit code 1.
PATH=$1:$PATH; shift # where the tools are
sed "$2" "$1/m.npu.json" > "$1/x.npu.json"
cmp -s "$1/m.npu.json" "$1/x.npu.json" && echo "the edit changes nothing"
npu-translate --validate-npu-json "$1/x.npu.json" 2> "$1/validate.txt"
test $? -eq 1 || echo "npu-translate does not exit with 1"
npu-run "$1/x.npu.json" 2> "$1/run.txt"
test $? -eq 1 || echo "npu-run does not exit with 1"
sed s/npu-run/npu-translate/ "$1/run.txt" | cmp - "$1/validate.txt"
test "$(wc -l < "$1/validate.txt")" -eq 1 || echo "not one line"
cat "$1/validate.txt"
