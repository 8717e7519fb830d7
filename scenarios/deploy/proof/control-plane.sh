#!/bin/bash
# control-plane.sh WORK: starts the control plane and NODES nodes, as the first process of the cluster.
set -eu
work=$1
here=$(cd "$(dirname "$0")" && pwd)
keys=$work/keys
logs=$work/logs
export PATH=$work/programs:$PATH

mount --make-rprivate /
mount -t tmpfs tmpfs /run
hostname control
ip link set lo up
ip link add cluster0 type bridge
ip addr add 172.31.0.1/24 dev cluster0
ip link set cluster0 up
echo 1 > /proc/sys/net/ipv4/ip_forward

etcd --data-dir /run/etcd --unsafe-no-fsync --log-level warn \
  --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
  --listen-peer-urls http://127.0.0.1:2380 > "$logs/etcd.log" 2>&1 &
kube-apiserver --etcd-servers=http://127.0.0.1:2379 --advertise-address=172.31.0.1 --secure-port=6443 \
  --tls-cert-file="$keys/apiserver.crt" --tls-private-key-file="$keys/apiserver.key" --client-ca-file="$keys/ca.crt" \
  --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$keys/sa.pub" \
  --service-account-signing-key-file="$keys/sa.key" --service-cluster-ip-range=10.96.0.0/16 \
  --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction \
  --kubelet-client-certificate="$keys/apikubelet.crt" --kubelet-client-key="$keys/apikubelet.key" \
  --kubelet-certificate-authority="$keys/ca.crt" --kubelet-preferred-address-types=InternalIP > "$logs/apiserver.log" 2>&1 &

# The nodes start at once: importing the images takes longer than the control plane.
for node in $(seq 1 "$NODES"); do
  ip netns add "node$node"
  ip link add "to-node$node" type veth peer name eth0 netns "node$node"
  ip link set "to-node$node" master cluster0 up
  ip route add "10.244.$node.0/24" via "172.31.0.$((10 + node))"
  bash "$here/enter-node.sh" "$work" "$node" > "$logs/node$node.log" 2>&1 &
done

# A controller manager that starts before the roles exist exits for good.
until KUBECONFIG=$keys/admin.conf kubectl get --raw /readyz > /dev/null 2>&1; do
  sleep 0.3
done
kube-controller-manager --kubeconfig="$keys/kcm.conf" --authentication-kubeconfig="$keys/kcm.conf" \
  --authorization-kubeconfig="$keys/kcm.conf" --service-account-private-key-file="$keys/sa.key" \
  --root-ca-file="$keys/ca.crt" --use-service-account-credentials --leader-elect=false > "$logs/kcm.log" 2>&1 &
kube-scheduler --kubeconfig="$keys/scheduler.conf" --authentication-kubeconfig="$keys/scheduler.conf" \
  --authorization-kubeconfig="$keys/scheduler.conf" --leader-elect=false > "$logs/scheduler.log" 2>&1 &
wait
