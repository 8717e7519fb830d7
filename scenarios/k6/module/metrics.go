package module

import (
	"time"

	"assay/k6/reader"
	"assay/k6/samples"
	"assay/k6/stream"

	"go.k6.io/k6/v2/metrics"
)

// metricSet contains the k6 metrics of the module.
type metricSet struct {
	headers    *metrics.Metric
	firstEvent *metrics.Metric
	firstMatch *metrics.Metric
	duration   *metrics.Metric
	events     *metrics.Metric
	matches    *metrics.Metric
	violations *metrics.Metric
	ok         *metrics.Metric
	// calls by operation.
	calls                  map[string]*metrics.Metric
	terminal               *metrics.Metric
	conversationOK         *metrics.Metric
	conversationViolations *metrics.Metric
}

func registerMetrics(registry *metrics.Registry) (*metricSet, error) {
	var firstError error
	metric := func(name string, kind metrics.MetricType, values metrics.ValueType) *metrics.Metric {
		created, err := registry.NewMetric(name, kind, values)
		if err != nil && firstError == nil {
			firstError = err
		}
		return created
	}
	set := &metricSet{
		headers:    metric("stream_headers", metrics.Trend, metrics.Time),
		firstEvent: metric("stream_first_event", metrics.Trend, metrics.Time),
		firstMatch: metric("stream_first_match", metrics.Trend, metrics.Time),
		duration:   metric("stream_duration", metrics.Trend, metrics.Time),
		events:     metric("stream_events", metrics.Counter, metrics.Default),
		matches:    metric("stream_matches", metrics.Counter, metrics.Default),
		violations: metric("stream_violations", metrics.Counter, metrics.Default),
		ok:         metric("stream_ok", metrics.Rate, metrics.Default),
		calls: map[string]*metrics.Metric{
			"create": metric("conversation_create", metrics.Trend, metrics.Time),
			"poll":   metric("conversation_poll", metrics.Trend, metrics.Time),
			"delete": metric("conversation_delete", metrics.Trend, metrics.Time),
		},
		terminal:               metric("conversation_terminal", metrics.Trend, metrics.Time),
		conversationOK:         metric("conversation_ok", metrics.Rate, metrics.Default),
		conversationViolations: metric("conversation_violations", metrics.Counter, metrics.Default),
	}
	return set, firstError
}

// metricBatch collects metric values with the same time and tags.
type metricBatch struct {
	at   time.Time
	tags metrics.TagsAndMeta
	list metrics.Samples
}

func (f *metricBatch) add(metric *metrics.Metric, value float64) {
	f.addTagged(metric, value, f.tags.Tags)
}

func (f *metricBatch) addTagged(metric *metrics.Metric, value float64, tags *metrics.TagSet) {
	f.list = append(f.list, metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: metric, Tags: tags},
		Time:       f.at,
		Value:      value,
		Metadata:   f.tags.Metadata,
	})
}

func (f *metricBatch) addSince(metric *metrics.Metric, at, from int64) {
	if at != stream.Never {
		f.add(metric, max(0, float64(at-from)/1e3))
	}
}

func (f *metricBatch) addCounts(metric *metrics.Metric, tag string, counts map[string]int) {
	for name, n := range counts {
		f.addTagged(metric, float64(n), f.tags.Tags.With(tag, name))
	}
}

func boolRate(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

// addStreamMetrics adds the metrics of a stream, with times relative to its planned send time. It adds all times of a
// successful stream, and the observed times of a stream with a violation.
func (m *metricSet) addStreamMetrics(f *metricBatch, r *reader.Result, from int64) {
	isOK := r.Outcome() == "ok"
	hasViolation := r.Outcome() == "violation"
	if isOK || hasViolation {
		f.addSince(m.headers, r.HeadersAt, from)
		f.addSince(m.firstEvent, r.FirstEventAt, from)
		f.addSince(m.firstMatch, r.FirstMatchAt, from)
	}
	if isOK || hasViolation && r.Ended == reader.EndedDone {
		f.addSince(m.duration, r.EndAt, from)
	}
	f.addCounts(m.events, "event", r.EventCounts())
	f.add(m.matches, float64(r.Matches))
	f.addCounts(m.violations, "code", r.ViolationCounts())
	f.add(m.ok, boolRate(isOK))
}

// addSampleMetrics adds the metrics of a sample that a script recorded.
func (m *metricSet) addSampleMetrics(f *metricBatch, s *samples.Sample) {
	isOK := s.Outcome == "ok"
	switch s.Kind {
	case "call":
		if metric := m.calls[s.Operation]; isOK && metric != nil {
			f.addSince(metric, s.End, s.Plan)
		}
	case "conversation":
		if isOK {
			f.addSince(m.terminal, s.End, s.Plan)
		}
		f.add(m.conversationOK, boolRate(isOK))
	}
	if s.Kind != "stream" {
		f.addCounts(m.conversationViolations, "code", s.Codes)
	}
}
