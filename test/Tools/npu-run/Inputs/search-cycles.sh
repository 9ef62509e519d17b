# usage: search-cycles.sh <directory of tools> <target> <model>; prints what --npu-search costs and gains, in cycles
for effort in quick auto full; do
  "$1/npu-run" --timing-only --target="$2" --npu-search=$effort "$3" > "$effort.txt" || exit 1
  eval "$effort=$(sed -n 's/^on the NPU: .* \([0-9]*\) cycles on .*/\1/p' "$effort.txt")"
done
[ "$full" -lt "$quick" ] && echo "full is faster than quick"
[ "$auto" -le "$quick" ] && echo "auto is no slower than quick"
[ "$auto" -eq "$full" ] && echo "auto is full"
exit 0
