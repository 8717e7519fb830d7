package module

import (
	"maps"
	"slices"
	"time"

	"assay/k6/reader"
	"assay/k6/runclock"
	"assay/k6/stream"

	"github.com/grafana/sobek"
)

// countObservations returns the number of permitted choices in a stream and its headers, by code.
func countObservations(r *reader.Result) map[string]int {
	counts := r.ObservationCounts()
	if !r.OtherContentType {
		return counts
	}
	if counts == nil {
		counts = make(map[string]int)
	}
	counts["content-type"] = 1
	return counts
}

func (i *instance) resultObject(r *reader.Result) *sobek.Object {
	rt := i.vu.Runtime()
	object := rt.NewObject()
	set := func(name string, value any) { _ = object.Set(name, value) }
	set("status", r.Status)
	set("ended", string(r.Ended))
	set("error", string(r.Cause))
	set("outcome", r.Outcome())
	set("sendMs", runclock.Ms(r.SendAt))
	set("headersMs", msOrNone(r.HeadersAt))
	set("firstEventMs", msOrNone(r.FirstEventAt))
	set("firstMatchMs", msOrNone(r.FirstMatchAt))
	set("endMs", runclock.Ms(r.EndAt))
	set("events", r.Events)
	set("matches", r.Matches)
	set("bytes", r.Bytes)
	set("violations", i.countsObject(r.ViolationCounts()))
	set("observations", i.countsObject(countObservations(r)))
	set("retryAfterMs", retryAfterMs(r.RetryAfter))
	return object
}

func (i *instance) countsObject(counts map[string]int) *sobek.Object {
	object := i.vu.Runtime().NewObject()
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		_ = object.Set(code, counts[code])
	}
	return object
}

func msOrNone(micros int64) float64 {
	if micros == stream.Never {
		return -1
	}
	return runclock.Ms(micros)
}

func retryAfterMs(after time.Duration) float64 {
	if after == reader.NoRetryAfter {
		return -1
	}
	return float64(after.Milliseconds())
}
