// Package runclock is the one clock of a k6 process: whole microseconds, monotonic, from the start of the process.
package runclock

import "time"

// Clock counts from its zero.
type Clock struct{ zero time.Time }

// New makes a clock whose zero is now.
func New() Clock { return Clock{zero: time.Now()} }

// Micros is the time since the zero in whole microseconds; it never falls.
func (c Clock) Micros() int64 { return time.Since(c.zero).Microseconds() }

// MicrosAt is what Micros said at an instant; negative before the zero.
func (c Clock) MicrosAt(instant time.Time) int64 { return instant.Sub(c.zero).Microseconds() }

// At gives the instant that Micros called so.
func (c Clock) At(micros int64) time.Time {
	return c.zero.Add(time.Duration(micros) * time.Microsecond)
}

// EpochMs is the wall clock at the zero, in milliseconds since 1970 with fractions.
func (c Clock) EpochMs() float64 { return float64(c.zero.UnixMicro()) / 1e3 }

// Ms gives microseconds as milliseconds with fractions.
func Ms(micros int64) float64 { return float64(micros) / 1e3 }
