package generator

import "testing"

func TestFactsBeforeStart(t *testing.T) {
	var w Watch
	facts := w.Facts()
	if facts.CPUSeconds != 0 || facts.WallSeconds != 0 || facts.Cores < 1 || facts.MaxRSSBytes < 1<<20 {
		t.Errorf("%+v", facts)
	}
}

func TestFactsAfterWork(t *testing.T) {
	var w Watch
	w.Start()
	w.Start()
	defer w.Stop()
	// A busy machine may need a long time for this much work and one tick.
	facts := w.Facts()
	for facts.CPUSeconds < 0.05 || facts.TimerLagMaxMs == 0 {
		facts = w.Facts()
	}
	if facts.CPUSeconds > facts.WallSeconds*float64(facts.Cores)+0.1 || facts.TimerLagMaxMs < facts.TimerLagP99Ms {
		t.Errorf("%+v", facts)
	}
}
