// Package arrivals has k6's arrival-rate executors, which make virtual users before they are needed and record the
// planned times of dropped arrivals. k6 itself only counts arrivals for which no virtual user was free.
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

// register registers an executor of k6 under another name; markAllReady makes all of its virtual users at once.
func register[C any, P interface {
	*C
	sized
}](kind string, empty func(name string) P, markAllReady func(P)) {
	lib.RegisterExecutorConfigType(kind, func(name string, rawJSON []byte) (lib.ExecutorConfig, error) {
		given := empty(name)
		err := lib.StrictJSONUnmarshal(rawJSON, given)
		withAllReady := func() lib.ExecutorConfig {
			all := *given
			markAllReady(&all)
			return P(&all)
		}
		return config{sized: given, withAllReady: withAllReady}, err
	})
}

// sized is an executor configuration of k6 with numbers of virtual users for the segment of this process.
type sized interface {
	lib.ExecutorConfig
	GetPreAllocatedVUs(et *lib.ExecutionTuple) int64
	GetMaxVUs(et *lib.ExecutionTuple) int64
}

// config is k6's configuration with another executor. preAllocatedVUs is the number of users that are made at once and
// kept free.
type config struct {
	sized
	// withAllReady returns the same configuration with all users made at once. Only a checked configuration has a
	// default for maxVUs.
	withAllReady func() lib.ExecutorConfig
}

// MarshalJSON writes k6's form.
func (c config) MarshalJSON() ([]byte, error) { return json.Marshal(c.sized) }

// NewExecutor makes k6's executor with slots for its users, and reads its samples.
func (c config) NewExecutor(es *lib.ExecutionState, logger *logrus.Entry) (lib.Executor, error) {
	planned, limit := c.GetPreAllocatedVUs(es.ExecutionTuple), c.GetMaxVUs(es.ExecutionTuple)
	slots := lib.NewExecutionState(es.Test, es.ExecutionTuple, uint64(limit), uint64(limit))
	inner, err := c.withAllReady().NewExecutor(slots, logger)
	if err != nil {
		return nil, err
	}
	return &listened{Executor: inner, name: c.GetName(), slots: slots, users: newUsers(es, logger, planned, limit)}, nil
}

// listened is an executor whose own samples are read. Samples of virtual users go another way.
type listened struct {
	lib.Executor
	name  string
	slots *lib.ExecutionState
	users *users
}

// Init makes the slots.
func (l *listened) Init(ctx context.Context) error {
	for id := range l.users.limit {
		l.slots.AddInitializedVU(&slot{users: l.users, id: uint64(id)})
	}
	return l.Executor.Init(ctx)
}

// Run reads and forwards every sample. A dropped arrival is recorded before the executor continues with the next one.
func (l *listened) Run(ctx context.Context, out chan<- metrics.SampleContainer) error {
	missed.begin(l.name, time.Now())
	own := make(chan metrics.SampleContainer)
	handedOn := make(chan struct{})
	go func() {
		defer close(handedOn)
		for container := range own {
			l.look(container)
			metrics.PushIfNotDone(ctx, out, container)
		}
	}()
	err := l.Executor.Run(ctx, own)
	close(own)
	<-handedOn
	l.users.away.Wait()
	return err
}

func (l *listened) look(container metrics.SampleContainer) {
	for _, sample := range container.GetSamples() {
		if sample.Metric.Name == metrics.DroppedIterationsName {
			missed.note(l.name, sample.Time)
		}
	}
}

// log has the dropped arrivals by scenario.
type log struct {
	mutex  sync.Mutex
	counts map[string]int64
	starts map[string]time.Time
	times  map[string][]time.Time
}

var missed = &log{
	counts: map[string]int64{}, starts: map[string]time.Time{}, times: map[string][]time.Time{},
}

// begin forgets the dropped arrivals of an earlier run of the same name.
func (l *log) begin(scenario string, at time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.starts[scenario] = at
	delete(l.counts, scenario)
	delete(l.times, scenario)
}

func (l *log) note(scenario string, at time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.counts[scenario]++
	l.times[scenario] = append(l.times[scenario], at)
}

// Missed returns how many arrivals of a scenario were dropped since it began.
func Missed(scenario string) int64 {
	missed.mutex.Lock()
	defer missed.mutex.Unlock()
	return missed.counts[scenario]
}

// Take returns the start of a scenario and the planned times of dropped arrivals not taken before, in order.
func Take(scenario string) (start time.Time, times []time.Time) {
	missed.mutex.Lock()
	defer missed.mutex.Unlock()
	start, times = missed.starts[scenario], missed.times[scenario]
	delete(missed.times, scenario)
	return start, times
}
