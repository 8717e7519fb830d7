package generator

import (
	"testing"
	"time"
)

func TestNothingIsCountedBeforeTheStart(t *testing.T) {
	var w Watch
	facts := w.Facts()
	if facts.CPUSeconds != 0 || facts.WallSeconds != 0 || facts.Cores < 1 || facts.MaxRSSBytes < 1<<20 {
		t.Errorf("%+v", facts)
	}
}

func TestWorkIsSeen(t *testing.T) {
	var w Watch
	w.Start()
	w.Start()
	defer w.Stop()
	deadline := time.Now().Add(200 * time.Millisecond)
	for time.Now().Before(deadline) {
	}
	facts := w.Facts()
	if facts.WallSeconds < 0.2 || facts.CPUSeconds < 0.02 || facts.CPUSeconds > facts.WallSeconds*float64(facts.Cores)+0.1 {
		t.Errorf("%+v", facts)
	}
	if facts.TimerLagMaxMs < facts.TimerLagP99Ms || w.lag.Count == 0 {
		t.Errorf("%+v after %d ticks", facts, w.lag.Count)
	}
}
