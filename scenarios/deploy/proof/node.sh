#!/bin/bash
# node.sh WORK NODE: containerd, kubelet and kube-proxy of one node, in namespaces of its own.
set -eu
work=$1
node=$2
keys=$work/keys
logs=$work/logs
own=$work/node$node
address=172.31.0.$((10 + node))
mkdir -p "$own/logs" "$own/shown"

mount --make-rprivate /
# The kubelet shares the volumes that it mounts with containers.
mount --make-rshared /
hostname "node$node"

mount_groups() {
  local controller process
  mount -t sysfs sysfs /sys
  if grep -q '^0::/$' /proc/self/cgroup && [ "$(wc -l < /proc/self/cgroup)" = 1 ]; then
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    mkdir -p /sys/fs/cgroup/node
    while read -r process; do
      echo "$process" > /sys/fs/cgroup/node/cgroup.procs 2> /dev/null || true
    done < /sys/fs/cgroup/cgroup.procs
    tr ' ' '\n' < /sys/fs/cgroup/cgroup.controllers | while read -r controller; do
      echo "+$controller" > /sys/fs/cgroup/cgroup.subtree_control || true
    done
    return
  fi
  mount -t tmpfs tmpfs /sys/fs/cgroup
  while IFS=: read -r _ controllers _; do
    for controller in $(echo "$controllers" | tr , ' '); do
      mkdir "/sys/fs/cgroup/${controller#name=}"
      case $controller in
        name=*) mount -t cgroup -o "none,$controller" cgroup "/sys/fs/cgroup/${controller#name=}" ;;
        *) mount -t cgroup -o "$controller" cgroup "/sys/fs/cgroup/$controller" ;;
      esac
    done
  done < /proc/self/cgroup
  mkdir /sys/fs/cgroup/unified
  mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified
}
mount_groups

mount -t tmpfs tmpfs /run
mount --make-shared /run
mount -t tmpfs -o size=4g tmpfs /var/lib
mount --bind "$own/logs" /var/log

# The kubelet sets these for the whole machine. It finds the values that it wants, so it changes nothing.
for setting in vm/overcommit_memory=1 kernel/panic=10 kernel/panic_on_oops=1; do
  shown=$own/shown/$(basename "${setting%=*}")
  echo "${setting#*=}" > "$shown"
  mount --bind "$shown" "/proc/sys/${setting%=*}"
done

ip link set lo up
ip addr add "$address/24" dev eth0
ip link set eth0 up
ip route add default via 172.31.0.1
for other in $(seq 1 "$NODES"); do
  [ "$other" = "$node" ] || ip route add "10.244.$other.0/24" via "172.31.0.$((10 + other))"
done
echo 1 > /proc/sys/net/ipv4/ip_forward

mkdir -p /run/cni/net.d /run/containerd /var/lib/kubelet
: > /run/resolv.conf
cat > /run/cni/net.d/10-bridge.conflist << JSON
{
  "cniVersion": "1.0.0",
  "name": "pods",
  "plugins": [
    {
      "type": "bridge",
      "bridge": "pods0",
      "isDefaultGateway": true,
      "hairpinMode": true,
      "ipMasq": false,
      "ipam": { "type": "host-local", "dataDir": "/run/cni/ipam", "ranges": [[{ "subnet": "10.244.$node.0/24" }]] }
    }
  ]
}
JSON
# Without `restrict_oom_score_adj`, runc fails where this process may not raise its own priority when memory runs out. A profile of
# AppArmor would remain in the kernel.
cat > /run/containerd.toml << TOML
version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.devmapper"]
[plugins."io.containerd.internal.v1.opt"]
  path = "/run/containerd-opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.k8s.io/pause:3.10"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/run/cni/net.d"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
TOML
containerd --config /run/containerd.toml > "$logs/containerd$node.log" 2>&1 &
until ctr version > /dev/null 2>&1; do
  sleep 0.2
done
for archive in "$work"/images/*.tar; do
  ctr --namespace k8s.io images import "$archive"
done

cat > /run/kubelet.yaml << YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: $keys/ca.crt } }
authorization: { mode: Webhook }
tlsCertFile: $keys/node$node-serving.crt
tlsPrivateKeyFile: $keys/node$node-serving.key
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
makeIPTablesUtilChains: false
resolvConf: /run/resolv.conf
imageGCHighThresholdPercent: 100
evictionHard: { memory.available: "0%", nodefs.available: "0%", nodefs.inodesFree: "0%", imagefs.available: "0%" }
YAML
cat > /run/proxy.yaml << YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: nftables
hostnameOverride: node$node
clusterCIDR: 10.244.0.0/16
clientConnection: { kubeconfig: $keys/proxy.conf }
conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s }
YAML
# Both exit without an API server.
until curl -sk --max-time 2 https://172.31.0.1:6443/version > /dev/null; do
  sleep 0.3
done
kube-proxy --config=/run/proxy.yaml > "$logs/proxy$node.log" 2>&1 &
kubelet --config=/run/kubelet.yaml --kubeconfig="$keys/node$node.conf" --node-ip="$address" \
  --hostname-override="node$node" > "$logs/kubelet$node.log" 2>&1 &
wait
