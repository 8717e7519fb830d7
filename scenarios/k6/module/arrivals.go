package module

import (
	"assay/k6/arrivals"
	"assay/k6/runclock"

	"github.com/grafana/sobek"
)

// missedArrivals are arrivals of a scenario that were left out.
type missedArrivals struct {
	// StartMs is when the scenario began, on the run clock.
	StartMs float64 `json:"startMs"`
	// AfterMs is when each was to come, since then.
	AfterMs []float64 `json:"afterMs"`
}

// takeMissed gives the arrivals that were left out and not given yet.
func (i *instance) takeMissed(scenario string) sobek.Value {
	start, times := arrivals.Take(scenario)
	taken := missedArrivals{AfterMs: make([]float64, len(times))}
	if len(times) > 0 {
		taken.StartMs = runclock.Ms(i.run.clock.MicrosAt(start))
	}
	for index, instant := range times {
		taken.AfterMs[index] = runclock.Ms(instant.Sub(start).Microseconds())
	}
	return i.plain(taken)
}
