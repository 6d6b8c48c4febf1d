#!/usr/bin/env bash
# Ranks on two computers, each of which is a network namespace with a host name of its own: hosts.sh TOOL EXAMPLES MPIRUN.
# They share files and one cable. Ends with 77 where namespaces cannot be made.
set -euo pipefail
tool="$(realpath "$1")"
examples="$(realpath "$2")"
mpirun="$3"
PATH="$PATH:/usr/sbin:/sbin"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
skip() { echo "skipped: $*" && exit 77; }
[[ "$("$mpirun" --version 2>&1)" =~ Open(RTE|\ MPI) ]] || skip "only Open MPI is told here how to reach the other namespace"
command -v ip >/dev/null || skip "ip is not here (Debian: iproute2)"

folder="$(mktemp -d)"
names=("first$$" "second$$")
stop() {
  for name in "${names[@]}"; do ip netns delete "$name" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap stop EXIT
cd "$folder"
ip netns add "${names[0]}" 2>/dev/null || skip "network namespaces cannot be made (they need root)"
ip netns add "${names[1]}"
ip link add "a$$" netns "${names[0]}" type veth peer name "b$$" netns "${names[1]}" || skip "there are no veth cables"
for i in 0 1; do
  cable="$([[ $i == 0 ]] && echo "a$$" || echo "b$$")"
  ip -n "${names[$i]}" address add "10.77.0.$((i + 1))/24" dev "$cable"
  ip -n "${names[$i]}" link set "$cable" up
  ip -n "${names[$i]}" link set lo up
done

# In place of ssh: agent ADDRESS COMMAND...
cat >agent <<END
#!/usr/bin/env bash
name="\$([[ "\$1" == 10.77.0.1 ]] && echo ${names[0]} || echo ${names[1]})"
exec ip netns exec "\$name" unshare --uts bash -c "hostname \$name; exec sh -c \"\\\$0\"" "\${*:2}"
END
chmod +x agent
# across ARGUMENTS...: two ranks on each of both.
across() {
  ip netns exec "${names[0]}" unshare --uts bash -c "hostname ${names[0]}; exec \"\$0\" \"\$@\"" "$mpirun" -n 4 \
    --host 10.77.0.1:2,10.77.0.2:2 --mca plm_rsh_agent "$folder/agent" --mca btl tcp,self \
    --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 --bind-to none "$@"
}
fail() { echo "$*" >&2 && exit 1; }
quietly() { if ! "$@" >log 2>&1; then cat log && exit 1; fi; }

[[ "$(across hostname | sort -u | wc -l)" == 2 ]] || fail "the ranks are not on two hosts"
cp "$examples"/pendulum.toml .
quietly "$tool" data pendulum --simulated -o pendulum.csv
quietly "$tool" train pendulum.toml --batch 100 --epochs 2 --threads 1 -o alone
quietly across "$tool" train pendulum.toml --batch 100 --epochs 2 -o shared
cmp alone/weights.npz shared/weights.npz || fail "other weights on two hosts"
quietly "$tool" landscape alone --vary g=8:12:3 --seeds 4 --threads 1 --no-verdicts
quietly across "$tool" landscape shared --vary g=8:12:3 --seeds 4 --no-verdicts
for seed in 1 2 3; do
  cmp "alone/seeds/$seed/weights.npz" "shared/seeds/$seed/weights.npz" || fail "other networks on two hosts"
done
cmp alone/landscape/landscape.npz shared/landscape/landscape.npz || fail "another landscape on two hosts"
