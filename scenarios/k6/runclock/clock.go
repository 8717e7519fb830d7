// Package runclock is the one clock of a k6 process: whole microseconds, monotonic, from the start of the process.
package runclock

import "time"

// Clock counts microseconds from its zero.
type Clock struct{ zero time.Time }

// New returns a clock whose zero is now.
func New() Clock { return Clock{zero: time.Now()} }

// Micros returns whole microseconds since the zero. It never decreases.
func (c Clock) Micros() int64 { return time.Since(c.zero).Microseconds() }

// MicrosAt returns the value of Micros at an instant. It is negative before the zero.
func (c Clock) MicrosAt(instant time.Time) int64 { return instant.Sub(c.zero).Microseconds() }

// At returns the instant of a value of Micros.
func (c Clock) At(micros int64) time.Time {
	return c.zero.Add(time.Duration(micros) * time.Microsecond)
}

// EpochMs returns the wall clock at the zero, in fractional milliseconds since 1970.
func (c Clock) EpochMs() float64 { return float64(c.zero.UnixMicro()) / 1e3 }

// Ms converts microseconds to fractional milliseconds.
func Ms(micros int64) float64 { return float64(micros) / 1e3 }
