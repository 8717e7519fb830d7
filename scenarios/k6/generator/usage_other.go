//go:build !unix

package generator

import "time"

// Zero on systems that do not report it.
func cpuTime() time.Duration { return 0 }

func maxRSS() int64 { return 0 }
