package module

import (
	"fmt"
	"time"

	"assay/k6/backoff"

	"github.com/grafana/sobek"
)

// guard returns the guard of an arm.
func (i *instance) guard(function, arm string) *backoff.Guard {
	guard := i.run.guards[arm]
	if guard == nil {
		i.throw(function, fmt.Sprintf("the arm has to be a or b, not %q", arm))
	}
	return guard
}

func (i *instance) now() time.Duration { return sinceZero(i.run.clock.Micros()) }

// admit returns how many milliseconds to hold back; 0 for not at all.
func (i *instance) admit(arm string) float64 {
	i.run.start()
	return i.guard("admit", arm).Hold(i.now()).Seconds() * 1e3
}

// distress records that the target asked for fewer requests; -1 or nothing if it gave no delay.
func (i *instance) distress(arm string, retryAfterMs sobek.Value) {
	ms, _ := finite(retryAfterMs)
	i.guard("distress", arm).Distress(i.now(), sinceZero(micros(ms)))
}

func (i *instance) succeeded(arm string) { i.guard("succeeded", arm).Succeeded(i.now()) }

func (i *instance) failed(arm string) { i.guard("failed", arm).Failed(i.now()) }

// setBudget sets the number of questions of the whole run. Only the first call counts.
func (i *instance) setBudget(questions sobek.Value) {
	number, ok := finite(questions)
	if !ok || number < 0 {
		i.throw("setBudget", "the budget has to be a number of questions")
	}
	i.run.budgetOnce.Do(func() { i.run.budget.Store(int64(number)) })
}
