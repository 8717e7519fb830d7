package runclock

import (
	"math"
	"testing"
	"time"
)

func TestTheClockRises(t *testing.T) {
	c := New()
	last := int64(0)
	for range 1000 {
		now := c.Micros()
		if now < last {
			t.Fatalf("%d after %d", now, last)
		}
		last = now
	}
	if wall := float64(time.Now().UnixMicro()) / 1e3; math.Abs(wall-c.EpochMs()-Ms(c.Micros())) > 1000 {
		t.Errorf("the zero lies at %v", c.EpochMs())
	}
	if got := c.MicrosAt(c.At(1500)); got != 1500 {
		t.Errorf("1500 microseconds become %d", got)
	}
	if got := c.At(1500).Sub(c.At(0)); got != 1500*time.Microsecond {
		t.Errorf("1500 microseconds are %v", got)
	}
}
