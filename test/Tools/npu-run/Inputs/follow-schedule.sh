# Writes the schedule of a run to FILE.json, follows it, and fails unless both runs print what one without a file prints:
# follow-schedule.sh TOOLS FILE.json options... What was rewritten, and whether dispatches share a kernel, is printed.
PATH=$1:$PATH
file=$2
shift 2
rm -f "$file"
npu-run "$@" --npu-schedule="$file" > "$file.written" && npu-run "$@" --npu-schedule="$file" > "$file.followed" || exit 1
cmp "$file.written" "$file.followed" || exit 1
grep -o '"rewriting": "[a-z-]*"' "$file" | sort -u
npu-run "$@" > "$file.searched" && cmp "$file.searched" "$file.followed" || exit 1
if grep -q '"#[0-9]* [^"]*", "#' "$file"; then echo "dispatches share a kernel"; fi
