package module

import (
	"assay/k6/samples"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/metrics"
)

// sampleOutcomes are the outcomes of samples, as in packages/results.
var sampleOutcomes = []string{
	"ok", "violation", "refused", "distress", "bad-status", "timeout", "transport", "limit", "held-back", "not-begun",
	"over-budget", "canceled", "unfinished",
}

var sampleMembers = append([]string{
	"kind", "sendMs", "endMs", "outcome", "status", "codes", "operation", "state", "lastOpenMs", "polls",
	"headersMs", "firstEventMs", "firstMatchMs", "events", "matches", "bytes",
}, planMembers...)

// record writes a sample that a script measured.
func (i *instance) record(value sobek.Value) {
	s, err := i.parseSample(value)
	if err != nil {
		i.throw("record", err.Error())
	}
	i.run.start()
	if err := i.run.writeSample(s); err != nil {
		i.abort(err.Error())
	}
	state := i.vu.State()
	if state == nil {
		return
	}
	f := metricBatch{at: i.run.clock.At(s.End), tags: state.Tags.GetCurrentValues()}
	i.metrics.addSampleMetrics(&f, s)
	if len(f.list) > 0 {
		metrics.PushIfNotDone(i.vu.Context(), state.Samples, f.list)
	}
}

func (i *instance) parseSample(value sobek.Value) (*samples.Sample, error) {
	a := newArguments(i.vu.Runtime(), value, "sample", sampleMembers)
	s := samples.New(a.choice("kind", "stream", "call", "conversation"))
	readPlan(a, &s)
	s.Send = a.micros("sendMs")
	s.End = a.micros("endMs")
	s.Outcome = a.choice("outcome", sampleOutcomes...)
	s.Status = int64(a.atLeast("status", 0, 0))
	s.Codes = a.counts("codes")
	switch s.Kind {
	case "call":
		s.Operation = a.choice("operation", "create", "poll", "delete")
	case "conversation":
		s.State = a.textOr("state", "")
		s.LastOpen = a.microsOr("lastOpenMs", samples.None)
		s.Polls = int64(a.atLeast("polls", 0, 0))
	default:
		s.Headers = a.microsOr("headersMs", samples.None)
		s.FirstEvent = a.microsOr("firstEventMs", samples.None)
		s.FirstMatch = a.microsOr("firstMatchMs", samples.None)
		s.Events = int64(a.atLeast("events", 0, 0))
		s.Matches = int64(a.atLeast("matches", 0, 0))
		s.Bytes = int64(a.atLeast("bytes", 0, 0))
	}
	return &s, a.err
}
