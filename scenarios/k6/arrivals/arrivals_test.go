package arrivals

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"
)

func parsed(t *testing.T, text string) lib.ScenarioConfigs {
	t.Helper()
	var configs lib.ScenarioConfigs
	if err := json.Unmarshal([]byte(text), &configs); err != nil {
		t.Fatal(err)
	}
	return configs
}

const both = `{
	"even": {"executor": "assay-constant-arrival-rate", "rate": 5, "timeUnit": "1s", "duration": "10s", "preAllocatedVUs": 2, "maxVUs": 3},
	"moving": {"executor": "assay-ramping-arrival-rate", "timeUnit": "1s", "stages": [{"target": 5, "duration": "1s"}], "preAllocatedVUs": 2}
}`

func TestTheExecutorsTakeWhatThoseOfK6Take(t *testing.T) {
	configs := parsed(t, both)
	if errs := configs.Validate(); len(errs) > 0 {
		t.Fatal(errs)
	}
	for name, kind := range map[string]string{"even": Constant, "moving": Ramping} {
		if configs[name].GetType() != kind || configs[name].GetName() != name {
			t.Errorf("%s is %s of type %s", name, configs[name].GetName(), configs[name].GetType())
		}
	}
	text, err := json.Marshal(configs)
	if err != nil {
		t.Fatal(err)
	}
	if again := parsed(t, string(text)); again["even"].GetType() != Constant {
		t.Errorf("what is written is not read: %s", text)
	}
}

func TestAnUnknownMemberIsRefused(t *testing.T) {
	var configs lib.ScenarioConfigs
	if err := json.Unmarshal([]byte(`{"x": {"executor": "assay-constant-arrival-rate", "rat": 5}}`), &configs); err == nil {
		t.Error("it was taken")
	}
}

// dropping leaves out some arrivals.
type dropping struct {
	lib.Executor
	metric *metrics.Metric
	other  *metrics.Metric
	at     []time.Time
}

func (d *dropping) Run(ctx context.Context, out chan<- metrics.SampleContainer) error {
	push := func(metric *metrics.Metric, at time.Time) {
		metrics.PushIfNotDone(ctx, out, metrics.Sample{TimeSeries: metrics.TimeSeries{Metric: metric}, Time: at, Value: 1})
	}
	for index, at := range d.at {
		push(d.metric, at)
		push(d.other, at)
		if DroppedCount("dropping") < int64(index) {
			return context.Canceled
		}
	}
	return nil
}

func TestWhatIsLeftOutIsNotedAndEverythingIsHandedOn(t *testing.T) {
	registry := metrics.NewRegistry()
	builtin := metrics.RegisterBuiltinMetrics(registry)
	zero := time.Now()
	inner := &dropping{
		metric: builtin.DroppedIterations, other: builtin.Iterations,
		at: []time.Time{zero.Add(time.Second), zero.Add(2 * time.Second)},
	}
	out := make(chan metrics.SampleContainer, 10)
	if err := (&recordingExecutor{Executor: inner, name: "dropping", users: newUsers(nil, nil, 0, 0)}).Run(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if len(out) != 4 {
		t.Errorf("%d samples were handed on", len(out))
	}
	start, times := TakeDropped("dropping")
	if start.IsZero() || len(times) != 2 || !times[1].Equal(inner.at[1]) {
		t.Errorf("noted: %v from %v", times, start)
	}
	if _, again := TakeDropped("dropping"); len(again) != 0 || DroppedCount("dropping") != 2 {
		t.Errorf("taken twice: %v, of %d", again, DroppedCount("dropping"))
	}
	if _, none := TakeDropped("another"); len(none) != 0 || DroppedCount("another") != 0 {
		t.Error("another scenario has left out something")
	}
}
