package module

import (
	"assay/k6/arrivals"
	"assay/k6/runclock"

	"github.com/grafana/sobek"
)

// missedArrivals are the dropped arrivals of a scenario.
type missedArrivals struct {
	// StartMs is the start of the scenario, on the run clock.
	StartMs float64 `json:"startMs"`
	// AfterMs lists their planned times, relative to the start.
	AfterMs []float64 `json:"afterMs"`
}

// takeMissed returns the arrivals dropped since the last call.
func (i *instance) takeMissed(scenario string) sobek.Value {
	start, times := arrivals.TakeDropped(scenario)
	result := missedArrivals{AfterMs: make([]float64, len(times))}
	if len(times) > 0 {
		result.StartMs = runclock.Ms(i.run.clock.MicrosAt(start))
	}
	for index, instant := range times {
		result.AfterMs[index] = runclock.Ms(instant.Sub(start).Microseconds())
	}
	return i.plain(result)
}
