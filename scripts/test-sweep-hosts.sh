#!/usr/bin/env bash
# Runs a sweep over two hosts by GNU parallel's --sshlogin and compares with one on this machine. The hosts are two
# network namespaces with an sshd each; they, and all processes, live in namespaces of this script and end with it.
# usage (as root): test-sweep-hosts.sh <npu-sweep> <spec.json> <directory, will be replaced>
set -euo pipefail
if [ "${SWEEP_HOSTS_INSIDE:-}" != 1 ]; then
  SWEEP_HOSTS_INSIDE=1 exec unshare --net --mount --pid --fork --kill-child --mount-proc "$0" "$@"
fi
sweep=$1 spec=$2
rm -rf "$3" && mkdir -p "$3"
dir=$(realpath "$3")
# sshd wants a directory of its own, ip the one of the names; both private to this script.
mount -t tmpfs tmpfs /run && mkdir -p /run/sshd /run/netns && chmod 755 /run/sshd
ip link set lo up

ssh-keygen -q -t ed25519 -N '' -f "$dir/key"
cp "$dir/key.pub" "$dir/authorized_keys"
for number in 1 2; do
  ip netns add "host$number"
  ip link add "to$number" type veth peer name eth0 netns "host$number"
  ip address add "10.99.$number.1/24" dev "to$number"
  ip link set "to$number" up
  ip -n "host$number" address add "10.99.$number.2/24" dev eth0
  ip -n "host$number" link set eth0 up
  ssh-keygen -q -t ed25519 -N '' -f "$dir/host$number"
  ip netns exec "host$number" /usr/sbin/sshd -f /dev/null -h "$dir/host$number" -o "AuthorizedKeysFile=$dir/authorized_keys" \
    -o StrictModes=no -o PermitRootLogin=yes -o UsePAM=no -o PidFile=none -E "$dir/sshd$number.log"
  cat >>"$dir/ssh_config" <<END
Host host$number
  HostName 10.99.$number.2
END
done
cat >>"$dir/ssh_config" <<END
Host *
  User root
  IdentityFile $dir/key
  UserKnownHostsFile $dir/known_hosts
  StrictHostKeyChecking accept-new
END

"$sweep" "$spec" --output="$dir/here" -- -j2
ssh="ssh -F $dir/ssh_config"
"$sweep" "$spec" --output="$dir/hosts" -- --sshlogin "1/$ssh host1,1/$ssh host2" --joblog "$dir/log"
cmp "$dir/here/sweep.csv" "$dir/hosts/sweep.csv"
for number in 1 2; do
  grep -q "host$number" "$dir/log" || { echo "no job ran on host$number"; exit 1; }
done
echo "two hosts gave the same table"
