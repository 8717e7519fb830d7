//go:build tools

package tools

import _ "github.com/grafana/k6-operator/cmd"
