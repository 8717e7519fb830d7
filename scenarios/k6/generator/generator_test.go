package generator

import "testing"

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
	// On a busy machine it takes as long as it takes until this has worked so much, and has seen a tick.
	facts := w.Facts()
	for facts.CPUSeconds < 0.05 || facts.TimerLagMaxMs == 0 {
		facts = w.Facts()
	}
	if facts.CPUSeconds > facts.WallSeconds*float64(facts.Cores)+0.1 || facts.TimerLagMaxMs < facts.TimerLagP99Ms {
		t.Errorf("%+v", facts)
	}
}
