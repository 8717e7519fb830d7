//go:build !unix

package generator

import "time"

// cpuTime returns 0, because these systems do not report it.
func cpuTime() time.Duration { return 0 }

func maxRSS() int64 { return 0 }
