// Only to pin what the manifests are checked against: the custom resource definition that the k6-operator ships, and the
// OpenAPI documents of Kubernetes that its client is tested with. Nothing is compiled, so `go mod tidy` would remove the
// requirements. Fetched with `go mod download -json`, verified by go.sum.
module assay/definitions

go 1.25.0

require (
	github.com/grafana/k6-operator v1.5.0
	k8s.io/client-go v0.37.2
)
