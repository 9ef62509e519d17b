# A tool for executables that behaves as its argument says.
case $1 in
same)      cat ;;
note)      echo "nothing to do" >&2; cat ;;
mark)      sed 's/^hal.executable private @\([a-z]*\) {/hal.executable public @\1 attributes {tool.seen, other = 1} {/' ;;
module)    echo "module {"; cat; echo "}" ;;
directory) touch "$TMPDIR/scratch"; echo "$TMPDIR $(stat -c %a "$TMPDIR") $2" >&2; cat ;;
alone)     mkdir "$2" || exit 1; sleep 0.1; rmdir "$2"; cat ;;
meet)      mkdir -p "$2"; touch "$2/$$"
           until [ "$(ls "$2" | wc -l)" -ge 2 ]; do sleep 0.01; done; cat ;;
fail)      echo "no license" >&2; exit 3 ;;
crash)     kill -KILL $$ ;;
hang)      sleep 1000 & echo $! > "$2"; wait ;;
wait)      echo $$ > "$2"; exec sleep 1000 ;;
leave)     sleep 1000 & echo $! > "$2"; cat ;;
nothing)   ;;
garbage)   echo "no executable" ;;
other)     echo "module {}" ;;
rename)    sed 's/@entry/@other/g' ;;
name)      sed 's/@ex /@renamed /' ;;
variant)   sed 's/@npu /@renamed /' ;;
backend)   sed 's/target(<"npu"/target(<"cpu"/' ;;
ordinal)   sed 's/ordinal(0)/ordinal(1)/' ;;
layout)    sed 's/, ReadOnly>/>/g' ;;
workload)  sed 's/) -> (index, index, index)/, %w2: index) -> (index, index, index)/' ;;
type)      sed 's/%arg0: tensor<4xf32>/%arg0: tensor<8xf32>/' ;;
gigabyte)  head -c 1073741824 /dev/zero ;;
spin)      while :; do :; done ;;
file)      exec head -c 2000000 /dev/zero > "$TMPDIR/file" ;;
memory)    exec dd if=/dev/zero of=/dev/null bs=256M count=1 ;;
chatty)    head -c 1000000 /dev/zero | tr '\0' 'x' >&2; cat ;;
esac
