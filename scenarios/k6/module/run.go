package module

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"assay/k6/arrivals"
	"assay/k6/backoff"
	"assay/k6/exchanges"
	"assay/k6/fleet"
	"assay/k6/generator"
	"assay/k6/ledger"
	"assay/k6/route"
	"assay/k6/runclock"
	"assay/k6/samples"
)

// errOrphan ends a run whose parent process has ended.
var errOrphan = errors.New("the program that started k6 has ended, so the load ends")

// run is the state shared by all virtual users of a process.
type run struct {
	// parent is the id of the process that started k6; empty to ignore it.
	parent    string
	clock     runclock.Clock
	samples   *samples.Writer
	underWay  *samples.UnderWay
	ledger    *ledger.Ledger
	exchanges *exchanges.Recorder
	generator generator.Watch
	guards    map[string]*backoff.Guard
	// fleet connects this process with the others of its load. It is nil if there is no coordinator.
	fleet *fleet.Member
	// proxies are the proxies of the targets. proxiesError is set if they cannot be parsed.
	proxies      route.Table
	proxiesError error

	budgetOnce sync.Once
	budget     atomic.Int64

	mutex        sync.Mutex
	outcomes     map[string]int64
	violations   map[string]int64
	observations map[string]int64
}

func newRun(getenv func(string) string, clock runclock.Clock) *run {
	proxies, proxiesError := route.Parse(getenv("ASSAY_PROXIES"))
	header := samples.Header{EpochMs: clock.EpochMs(), K6Version: version()}
	r := &run{
		parent:       getenv("ASSAY_PARENT"),
		proxies:      proxies,
		proxiesError: proxiesError,
		clock:        clock,
		samples:      samples.NewWriter(getenv("ASSAY_SAMPLES"), header),
		underWay:     samples.NewUnderWay(getenv("ASSAY_UNDER_WAY"), clock.Micros, arrivals.BusyUsers),
		ledger:       ledger.New(getenv("ASSAY_LEDGER"), []string{getenv("ASSAY_TOKEN"), getenv("ASSAY_AGAINST_TOKEN")}),
		exchanges:    newExchanges(getenv, clock),
		guards:       map[string]*backoff.Guard{"base": {}, "head": {}},
		outcomes:     map[string]int64{},
		violations:   map[string]int64{},
		observations: map[string]int64{},
	}
	r.fleet = fleet.New(fleet.Options{
		Address: getenv("ASSAY_COORDINATOR"), Key: getenv("ASSAY_COORDINATOR_KEY"), Name: getenv("HOSTNAME"),
		OnDistress: r.heardDistress, OnEnd: endLoad,
	})
	return r
}

// heardDistress pauses, because the target asked another process of the load for fewer requests.
func (r *run) heardDistress(side string, pause time.Duration) {
	if guard := r.guards[side]; guard != nil {
		guard.Heard(fromMicros(r.clock.Micros()), pause)
	}
}

// endLoad interrupts k6, which then writes its summary.
func endLoad(reason error) {
	_, _ = fmt.Fprintln(os.Stderr, "assay:", reason)
	if process, err := os.FindProcess(os.Getpid()); err == nil {
		_ = process.Signal(os.Interrupt)
	}
}

// start starts watching the process and the unfinished requests. Further calls do nothing.
func (r *run) start() {
	r.generator.Start()
	r.underWay.Start()
}

// takeQuestion takes one question from the budget. It returns false if none is left or no budget is set.
func (r *run) takeQuestion() bool {
	for {
		questions := r.budget.Load()
		if questions <= 0 {
			return false
		}
		if r.budget.CompareAndSwap(questions, questions-1) {
			return true
		}
	}
}

// writeSample writes a sample and counts its outcome.
func (r *run) writeSample(s *samples.Sample) error {
	if r.parent != "" && r.parent != strconv.Itoa(os.Getppid()) {
		return errOrphan
	}
	r.count(s.Codes, nil)
	if s.Phase == "measure" {
		r.mutex.Lock()
		r.outcomes[s.Kind+" "+s.Outcome]++
		r.mutex.Unlock()
	}
	return r.samples.Write(s)
}

func (r *run) count(violations, observations map[string]int) {
	if len(violations)+len(observations) == 0 {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for code, n := range violations {
		r.violations[code] += int64(n)
	}
	for code, n := range observations {
		r.observations[code] += int64(n)
	}
}

// copyCounts returns a copy of a map of counts.
func (r *run) copyCounts(counts map[string]int64) map[string]int64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return maps.Clone(counts)
}
