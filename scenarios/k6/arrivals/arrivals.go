// Package arrivals has the arrival-rate executors of k6, with virtual users that are made before they are needed, and which also
// tell when they left an arrival out. k6 itself only counts those for which no virtual user was free; when they were to come is
// known to nobody else.
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

// Names of the executors, as scripts give them.
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

// register makes an executor of k6 known by another name; seat makes all of its virtual users ready.
func register[C any, P interface {
	*C
	sized
}](kind string, empty func(name string) P, seat func(P)) {
	lib.RegisterExecutorConfigType(kind, func(name string, rawJSON []byte) (lib.ExecutorConfig, error) {
		given := empty(name)
		err := lib.StrictJSONUnmarshal(rawJSON, given)
		seated := func() lib.ExecutorConfig {
			all := *given
			seat(&all)
			return P(&all)
		}
		return config{sized: given, seated: seated}, err
	})
}

// sized is a configuration of k6 with numbers of virtual users, by what part of a test this process runs.
type sized interface {
	lib.ExecutorConfig
	GetPreAllocatedVUs(et *lib.ExecutionTuple) int64
	GetMaxVUs(et *lib.ExecutionTuple) int64
}

// config is that of k6, with another executor: preAllocatedVUs are those that are ready, and so many are kept free.
type config struct {
	sized
	// seated gives the same with all users ready. Only what was checked has a maxVUs where the script gives none.
	seated func() lib.ExecutorConfig
}

// MarshalJSON writes what k6 would write.
func (c config) MarshalJSON() ([]byte, error) { return json.Marshal(c.sized) }

// NewExecutor makes the executor of k6, seats for it, and listens to it.
func (c config) NewExecutor(es *lib.ExecutionState, logger *logrus.Entry) (lib.Executor, error) {
	planned, limit := c.GetPreAllocatedVUs(es.ExecutionTuple), c.GetMaxVUs(es.ExecutionTuple)
	seats := lib.NewExecutionState(es.Test, es.ExecutionTuple, uint64(limit), uint64(limit))
	inner, err := c.seated().NewExecutor(seats, logger)
	if err != nil {
		return nil, err
	}
	return &listened{Executor: inner, name: c.GetName(), seats: seats, users: newUsers(es, logger, planned, limit)}, nil
}

// listened is an executor whose own samples are looked at; what virtual users measure goes another way.
type listened struct {
	lib.Executor
	name  string
	seats *lib.ExecutionState
	users *users
}

// Init puts up the seats.
func (l *listened) Init(ctx context.Context) error {
	for id := range l.users.limit {
		l.seats.AddInitializedVU(&seat{users: l.users, id: uint64(id)})
	}
	return l.Executor.Init(ctx)
}

// Run hands every sample on after a look at it. An arrival is noted before the executor goes on to the next.
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

// log holds what was left out, by scenario.
type log struct {
	mutex  sync.Mutex
	counts map[string]int64
	starts map[string]time.Time
	times  map[string][]time.Time
}

var missed = &log{
	counts: map[string]int64{}, starts: map[string]time.Time{}, times: map[string][]time.Time{},
}

// begin forgets what an earlier run of the same name left out.
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

// Missed is how many arrivals of a scenario were left out since it began.
func Missed(scenario string) int64 {
	missed.mutex.Lock()
	defer missed.mutex.Unlock()
	return missed.counts[scenario]
}

// Take gives when a scenario began, and when those arrivals were to come that nobody has taken yet, in order.
func Take(scenario string) (start time.Time, times []time.Time) {
	missed.mutex.Lock()
	defer missed.mutex.Unlock()
	start, times = missed.starts[scenario], missed.times[scenario]
	delete(missed.times, scenario)
	return start, times
}
