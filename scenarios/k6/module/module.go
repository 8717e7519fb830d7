// Package module is the JavaScript module k6/x/assay: a reader of search streams, and the records of a load run.
//
//	read(url: string, options?: {
//	  headers?: {[name: string]: string}, timeoutMs?: number (60000), maxEventBytes?: number (64 MiB), maxEvents?: number (1e6),
//	  gzip?: boolean (false), tags?: {[name: string]: string | number | boolean},
//	  sample?: {flow: string, phase: "warmup" | "measure", side: LoadSide, block?: number, pair?: number, query: string, planMs: number},
//	}): Promise<{
//	  status: number (0: no answer), ended: "done" | "eof" | "timeout" | "transport" | "limit" | "status" | "canceled",
//	  error: string ("" or one of the causes in package reader), outcome: LoadOutcome,
//	  sendMs, headersMs, firstEventMs, firstMatchMs, endMs: number (run clock; -1: did not arrive),
//	  events, matches, bytes: number, violations, observations: {[code: string]: number}, retryAfterMs: number (-1: none),
//	}>
//	clockMs(): number            epochMs(): number            scenarioStartMs(): number | undefined (outside scenarios)
//	record(sample: StreamSample | CallSample | ConversationSample): void
//	missed(scenario): number     takeMissed(scenario): {startMs: number, afterMs: number[]}
//	makesUsersAhead: true (the executors make users in advance, so preAllocatedVUs is the number kept free)
//	admit(side): number           distress(side, retryAfterMs: number): void    succeeded(side): void    failed(side): void
//	setBudget(n): void           takeQuestion(): boolean
//	intend({marker, interface, credential}): string    made(key, id): void    nothing(key): void    deleted(key): void
//	outcomes(): {[kindAndOutcome: string]: number}    violations(), observations(): {[code: string]: number}
//	keepCalls({interface, session, phase, side, query}): void    callsEnded(): void    settle(): void
//	generator(): GeneratorFacts      version(): string
//
// read resolves regardless of what the target does. Wrong use throws. A file that cannot be written aborts the test.
package module

import (
	"os"
	"runtime/debug"
	"strings"

	"assay/k6/arrivals"
	"assay/k6/runclock"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"
)

const k6Path = "go.k6.io/k6/v2"

func init() {
	modules.Register("k6/x/assay", New(os.Getenv, runclock.New()))
}

// Root is the module of a process. All virtual users share its state.
type Root struct{ run *run }

// New returns the module. The environment contains the paths to write to (ASSAY_SAMPLES, ASSAY_UNDER_WAY, ASSAY_LEDGER,
// ASSAY_EXCHANGES), the proxies of the targets (ASSAY_PROXIES), and the coordinator of a load with several processes
// (ASSAY_COORDINATOR, host:port, and ASSAY_COORDINATOR_KEY).
func New(getenv func(string) string, clock runclock.Clock) *Root {
	return &Root{run: newRun(getenv, clock)}
}

// NewModuleInstance is called once for each virtual user.
func (r *Root) NewModuleInstance(vu modules.VU) modules.Instance {
	metrics, err := registerMetrics(vu.InitEnv().Registry)
	if err != nil {
		common.Throw(vu.Runtime(), err)
	}
	if r.run.proxiesError != nil {
		common.Throw(vu.Runtime(), r.run.proxiesError)
	}
	r.run.fleet.Start()
	return &instance{vu: vu, run: r.run, metrics: metrics}
}

// instance is the module of one virtual user.
type instance struct {
	vu      modules.VU
	run     *run
	metrics *metricSet
	// isRouted is true if its transport uses the proxies of the targets.
	isRouted bool
	// calls records k6/http calls. It is nil before the first keepCalls.
	calls *callRecorder
}

// Exports returns the functions that scripts import.
func (i *instance) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{
		"read":            i.read,
		"record":          i.record,
		"clockMs":         i.clockMs,
		"epochMs":         i.run.clock.EpochMs,
		"scenarioStartMs": i.scenarioStartMs,
		"missed":          arrivals.DroppedCount,
		"takeMissed":      i.takeMissed,
		"makesUsersAhead": true,
		"admit":           i.admit,
		"distress":        i.distress,
		"succeeded":       i.succeeded,
		"failed":          i.failed,
		"setBudget":       i.setBudget,
		"takeQuestion":    i.run.takeQuestion,
		"intend":          i.intend,
		"made":            i.made,
		"nothing":         i.nothing,
		"deleted":         i.deleted,
		"keepCalls":       i.keepCalls,
		"callsEnded":      i.callsEnded,
		"settle":          i.run.exchanges.Settle,
		"outcomes":        i.outcomes,
		"violations":      i.violations,
		"observations":    i.observations,
		"generator":       i.generator,
		"version":         version,
	}}
}

func (i *instance) clockMs() float64 { return runclock.Ms(i.run.clock.Micros()) }

// route makes this virtual user use the proxies. It must be called before the user sends anything. Further calls do
// nothing.
func (i *instance) route() error {
	state := i.vu.State()
	if i.isRouted || state == nil {
		return nil
	}
	i.isRouted = true
	return i.run.proxies.Apply(state.Transport)
}

// scenarioStartMs returns the start of the running scenario on the run clock: finer than k6's own value, and monotonic.
// Scripts call it first in each iteration.
func (i *instance) scenarioStartMs() sobek.Value {
	scenario := lib.GetScenarioState(i.vu.Context())
	if scenario == nil {
		return sobek.Undefined()
	}
	if err := i.route(); err != nil {
		i.abort(err.Error())
	}
	return i.vu.Runtime().ToValue(runclock.Ms(i.run.clock.MicrosAt(scenario.StartTime)))
}

// throw throws a JavaScript TypeError that names the function.
func (i *instance) throw(function, clause string) {
	panic(i.vu.Runtime().NewTypeError("k6/x/assay " + function + "(): " + clause))
}

// abort ends the test normally. k6 prints the message.
func (i *instance) abort(message string) {
	i.vu.Runtime().Interrupt(&errext.InterruptError{Reason: errext.AbortTest + ": " + message})
}

// plain converts a Go value as JSON.parse would: to an ordinary object that scripts can change and print.
func (i *instance) plain(value any) sobek.Value {
	return parseAsScript(i.vu.Runtime(), value)
}

// version returns the version of k6 without its v, such as 2.2.0.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == k6Path {
				return strings.TrimPrefix(dependency.Version, "v")
			}
		}
	}
	return "unknown"
}
