// Command peer is k6 with the client of the benchmark that ours is compared with.
package main

import (
	"go.k6.io/k6/v2/cmd"
	"go.k6.io/k6/v2/js/modules"
)

func main() {
	modules.Register("k6/x/peer", &rootModule{})
	cmd.Execute()
}
