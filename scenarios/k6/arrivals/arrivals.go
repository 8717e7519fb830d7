// Package arrivals registers variants of k6's arrival-rate executors. They create virtual users before they are needed
// and record the planned times of dropped arrivals, which are arrivals for which no virtual user was free. k6 itself
// only counts them.
package arrivals

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/metrics"
)

// Names of the executors in scripts.
const (
	Constant = "assay-constant-arrival-rate"
	Ramping  = "assay-ramping-arrival-rate"
)

func init() {
	register(Constant, executor.NewConstantArrivalRateConfig, func(c *executor.ConstantArrivalRateConfig) {
		c.PreAllocatedVUs = c.MaxVUs
	})
	register(Ramping, executor.NewRampingArrivalRateConfig, func(c *executor.RampingArrivalRateConfig) {
		c.PreAllocatedVUs = c.MaxVUs
	})
}

// register registers a k6 executor under another name. preallocateAll makes a configuration create all virtual users
// in advance.
func register[C any, P interface {
	*C
	sizedConfig
}](kind string, newConfig func(name string) P, preallocateAll func(P)) {
	lib.RegisterExecutorConfigType(kind, func(name string, rawJSON []byte) (lib.ExecutorConfig, error) {
		base := newConfig(name)
		err := lib.StrictJSONUnmarshal(rawJSON, base)
		preallocated := func() lib.ExecutorConfig {
			withAllUsers := *base
			preallocateAll(&withAllUsers)
			return P(&withAllUsers)
		}
		return config{sizedConfig: base, preallocated: preallocated}, err
	})
}

// sizedConfig is an executor configuration of k6 with numbers of virtual users for the segment of this process.
type sizedConfig interface {
	lib.ExecutorConfig
	GetPreAllocatedVUs(et *lib.ExecutionTuple) int64
	GetMaxVUs(et *lib.ExecutionTuple) int64
}

// config is k6's configuration with another executor. preAllocatedVUs is the number of users that are created in advance
// and kept free.
type config struct {
	sizedConfig
	// preallocated returns the same configuration with all users created in advance. Call it after validation, which sets
	// the default for maxVUs.
	preallocated func() lib.ExecutorConfig
}

// MarshalJSON writes k6's form.
func (c config) MarshalJSON() ([]byte, error) { return json.Marshal(c.sizedConfig) }

// NewExecutor returns k6's executor with slots instead of users. It reads the samples of that executor.
func (c config) NewExecutor(es *lib.ExecutionState, logger *logrus.Entry) (lib.Executor, error) {
	planned, limit := c.GetPreAllocatedVUs(es.ExecutionTuple), c.GetMaxVUs(es.ExecutionTuple)
	slots := lib.NewExecutionState(es.Test, es.ExecutionTuple, uint64(limit), uint64(limit))
	slotExecutor, err := c.preallocated().NewExecutor(slots, logger)
	if err != nil {
		return nil, err
	}
	return &recordingExecutor{Executor: slotExecutor, name: c.GetName(), slots: slots, users: newUsers(es, logger, planned, limit)}, nil
}

// recordingExecutor reads the samples of an executor. The samples of virtual users do not pass through it.
type recordingExecutor struct {
	lib.Executor
	name  string
	slots *lib.ExecutionState
	users *users
}

// Init creates the slots.
func (l *recordingExecutor) Init(ctx context.Context) error {
	for id := range l.users.limit {
		l.slots.AddInitializedVU(&slot{users: l.users, id: uint64(id)})
	}
	return l.Executor.Init(ctx)
}

// Run reads and forwards every sample. A dropped arrival is recorded before the executor continues with the next one.
func (l *recordingExecutor) Run(ctx context.Context, out chan<- metrics.SampleContainer) error {
	droppedArrivals.begin(l.name, time.Now())
	executorSamples := make(chan metrics.SampleContainer)
	forwardingDone := make(chan struct{})
	go func() {
		defer close(forwardingDone)
		for container := range executorSamples {
			l.recordDropped(container)
			metrics.PushIfNotDone(ctx, out, container)
		}
	}()
	err := l.Executor.Run(ctx, executorSamples)
	close(executorSamples)
	<-forwardingDone
	l.users.outstanding.Wait()
	return err
}

func (l *recordingExecutor) recordDropped(container metrics.SampleContainer) {
	for _, sample := range container.GetSamples() {
		if sample.Metric.Name == metrics.DroppedIterationsName {
			droppedArrivals.add(l.name, sample.Time)
		}
	}
}

// arrivalLog records the dropped arrivals by scenario.
type arrivalLog struct {
	mutex  sync.Mutex
	counts map[string]int64
	starts map[string]time.Time
	times  map[string][]time.Time
}

var droppedArrivals = &arrivalLog{
	counts: map[string]int64{}, starts: map[string]time.Time{}, times: map[string][]time.Time{},
}

// begin starts a scenario and discards the dropped arrivals of its earlier runs.
func (l *arrivalLog) begin(scenario string, at time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.starts[scenario] = at
	delete(l.counts, scenario)
	delete(l.times, scenario)
}

func (l *arrivalLog) add(scenario string, at time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.counts[scenario]++
	l.times[scenario] = append(l.times[scenario], at)
}

// DroppedCount returns how many arrivals of a scenario were dropped since it began.
func DroppedCount(scenario string) int64 {
	droppedArrivals.mutex.Lock()
	defer droppedArrivals.mutex.Unlock()
	return droppedArrivals.counts[scenario]
}

// TakeDropped returns the start of a scenario and, in order, the planned times of the arrivals dropped since the last
// call.
func TakeDropped(scenario string) (start time.Time, times []time.Time) {
	droppedArrivals.mutex.Lock()
	defer droppedArrivals.mutex.Unlock()
	start, times = droppedArrivals.starts[scenario], droppedArrivals.times[scenario]
	delete(droppedArrivals.times, scenario)
	return start, times
}
