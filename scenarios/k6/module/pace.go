package module

import (
	"fmt"
	"time"

	"assay/k6/backoff"

	"github.com/grafana/sobek"
)

// guard returns the guard of a side.
func (i *instance) guard(function, side string) *backoff.Guard {
	guard := i.run.guards[side]
	if guard == nil {
		i.throw(function, fmt.Sprintf("the side must be base or head, not %q", side))
	}
	return guard
}

func (i *instance) now() time.Duration { return fromMicros(i.run.clock.Micros()) }

// admit returns the time to wait, in milliseconds. It returns 0 if the request may be sent now.
func (i *instance) admit(side string) float64 {
	i.run.start()
	return i.guard("admit", side).Remaining(i.now()).Seconds() * 1e3
}

// distress records that the target asked for fewer requests. If it did not request a delay, retryAfterMs is missing or
// negative.
func (i *instance) distress(side string, retryAfterMs sobek.Value) {
	ms, _ := toFinite(retryAfterMs)
	pause := fromMicros(micros(ms))
	i.guard("distress", side).Distress(i.now(), pause)
	i.run.fleet.Distress(side, pause)
}

func (i *instance) succeeded(side string) {
	i.guard("succeeded", side).Succeeded(i.now())
	i.run.fleet.Succeeded()
}

func (i *instance) failed(side string) {
	i.guard("failed", side).Failed(i.now())
	i.run.fleet.Failed("bad-status")
}

// setBudget sets the number of questions of the whole run. Only the first call has an effect.
func (i *instance) setBudget(questions sobek.Value) {
	number, ok := toFinite(questions)
	if !ok || number < 0 {
		i.throw("setBudget", "the budget must be a number of questions")
	}
	i.run.budgetOnce.Do(func() { i.run.budget.Store(int64(number)) })
}
