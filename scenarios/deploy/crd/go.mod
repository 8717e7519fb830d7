// Only to pin the release of the k6-operator whose custom resource definition the manifests are checked against: nothing is
// compiled, so `go mod tidy` would remove the requirement. Fetched with `go mod download -json`, verified by go.sum.
module assay/operator-crd

go 1.25.0

require github.com/grafana/k6-operator v1.5.0
