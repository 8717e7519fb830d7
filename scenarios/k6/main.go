// Command k6 is k6 with the module k6/x/assay compiled in.
package main

import (
	"go.k6.io/k6/v2/cmd"

	_ "assay/k6/module"
)

func main() { cmd.Execute() }
