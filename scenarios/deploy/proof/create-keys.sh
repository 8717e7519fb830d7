#!/bin/bash
# create-keys.sh FOLDER NODES: one authority, certificates of the control plane and the nodes, and their kubeconfigs.
set -euo pipefail
mkdir -p "$1"
cd "$1"
folder=$PWD
nodes=$2

create_key() {
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key" 2> /dev/null
}
# create_certificate NAME SUBJECT USAGE [ALTERNATIVE NAMES]
create_certificate() {
  create_key "$1"
  openssl req -new -key "$1.key" -subj "$2" -out "$1.csr"
  printf 'keyUsage=digitalSignature\nextendedKeyUsage=%s\n%s\n' "$3" "${4:+subjectAltName=$4}" > extensions
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out "$1.crt" -extfile extensions 2> /dev/null
}
create_kubeconfig() {
  cat > "$1.conf" << YAML
apiVersion: v1
kind: Config
clusters:
  - { name: proof, cluster: { server: "https://172.31.0.1:6443", certificate-authority: $folder/ca.crt } }
users:
  - { name: proof, user: { client-certificate: $folder/$1.crt, client-key: $folder/$1.key } }
contexts:
  - { name: proof, context: { cluster: proof, user: proof } }
current-context: proof
YAML
}

create_key ca
openssl req -x509 -new -key ca.key -subj /CN=assay-proof -days 2 -out ca.crt 2> /dev/null
create_certificate apiserver /CN=kube-apiserver serverAuth \
  "IP:172.31.0.1,IP:10.96.0.1,IP:127.0.0.1,DNS:kubernetes.default.svc,DNS:kubernetes.default,DNS:kubernetes"
create_certificate apikubelet /O=system:masters/CN=kube-apiserver-kubelet-client clientAuth
create_certificate admin /O=system:masters/CN=admin clientAuth
create_certificate kcm /CN=system:kube-controller-manager clientAuth
create_certificate scheduler /CN=system:kube-scheduler clientAuth
create_certificate proxy /CN=system:kube-proxy clientAuth
for name in admin kcm scheduler proxy; do
  create_kubeconfig "$name"
done
for node in $(seq 1 "$nodes"); do
  create_certificate "node$node" "/O=system:nodes/CN=system:node:node$node" clientAuth
  create_kubeconfig "node$node"
  create_certificate "node$node-serving" "/O=system:nodes/CN=system:node:node$node" serverAuth \
    "DNS:node$node,IP:172.31.0.$((10 + node))"
done
openssl genrsa -out sa.key 2048 2> /dev/null
openssl rsa -in sa.key -pubout -out sa.pub 2> /dev/null
rm -f ./*.csr extensions
