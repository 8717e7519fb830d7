package module

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/k6/runclock"

	"go.k6.io/k6/v2/js/modulestest"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"
	"golang.org/x/time/rate"
)

const whole = "event: progress\ndata: {}\n\nevent: matches\ndata: [1,2]\n\nevent:x\ndata: 1\n\nevent: done\ndata: {}\n\n"

// script is a virtual user with the module as `assay` and the address of a server as `base`.
type script struct {
	*modulestest.Runtime
	t       *testing.T
	root    *Root
	state   *lib.State
	samples chan metrics.SampleContainer
}

func newScript(t *testing.T, env map[string]string) *script {
	t.Helper()
	root := New(func(name string) string { return env[name] }, runclock.New())
	t.Cleanup(root.run.generator.Stop)
	return root.script(t)
}

// script makes one more virtual user of the same process.
func (r *Root) script(t *testing.T) *script {
	t.Helper()
	runtime := modulestest.NewRuntime(t)
	registry := runtime.VU.InitEnvField.Registry
	s := &script{Runtime: runtime, t: t, root: r, samples: make(chan metrics.SampleContainer, 1000)}
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	s.state = &lib.State{
		Transport: transport,
		Samples:   s.samples,
		Tags:      lib.NewVUStateTags(registry.RootTagSet().With("scenario", "one")),
	}
	server := httptest.NewServer(http.HandlerFunc(serve))
	t.Cleanup(server.Close)
	exports := r.NewModuleInstance(runtime.VU).Exports().Named
	for name, value := range map[string]any{"assay": exports, "base": server.URL} {
		if err := runtime.VU.Runtime().Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func serve(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/busy":
		w.Header().Set("Retry-After", "3")
		w.WriteHeader(http.StatusTooManyRequests)
	case "/echo":
		w.Header().Set("Content-Type", "text/event-stream")
		text, _ := json.Marshal([]string{r.Host, r.Header.Get("Authorization"), r.Header.Get("Accept"), r.Header.Get("User-Agent"), r.Method})
		_, _ = io.WriteString(w, "event: "+strings.ReplaceAll(string(text), " ", "_")+"\ndata: 1\n\nevent: done\ndata: {}\n\n")
	case "/commented", "/commented-and-cut":
		w.Header().Set("Content-Type", "text/event-stream")
		done := strings.Index(whole, "event: done")
		if r.URL.Path == "/commented" {
			done = len(whole)
		}
		_, _ = io.WriteString(w, ": still there\n\n"+whole[:done])
	case "/silent":
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, whole)
	}
}

// running moves on to where scenarios run.
func (s *script) running() *script {
	s.MoveToVUContext(s.state)
	return s
}

// gives runs an expression that may wait and gives its value as JSON.
func (s *script) gives(expression string) string {
	s.t.Helper()
	_, err := s.RunOnEventLoop(`var out = "nothing"; (async () => JSON.stringify(await (` + expression + `)))().then((v) => { out = v }, (e) => { out = String(e) })`)
	if err != nil {
		return "stopped: " + err.Error()
	}
	return s.VU.Runtime().Get("out").String()
}

// measured gives the sums of the values of all samples of metrics, by metric and tags.
func (s *script) measured() map[string]float64 {
	sums := map[string]float64{}
	for _, container := range metrics.GetBufferedSamples(s.samples) {
		for _, sample := range container.GetSamples() {
			tags := sample.Tags.Map()
			delete(tags, "scenario")
			name := sample.Metric.Name
			for _, value := range maps.All(tags) {
				name += " " + value
			}
			sums[name] += sample.Value
		}
	}
	return sums
}

func TestReadGivesWhatWasSeen(t *testing.T) {
	s := newScript(t, nil).running()
	got := s.gives(`assay.read(base, {tags: {}}).then((r) => [Object.keys(r).join(), r.status, r.ended, r.error, r.outcome, r.events, r.matches, r.bytes,
		r.violations, r.observations, r.retryAfterMs, 0 < r.sendMs && r.sendMs <= r.headersMs && r.headersMs <= r.firstEventMs && r.firstEventMs <= r.firstMatchMs && r.firstMatchMs <= r.endMs && r.endMs <= assay.clockMs()])`)
	want := `["status,ended,error,outcome,sendMs,headersMs,firstEventMs,firstMatchMs,endMs,events,matches,bytes,violations,observations,retryAfterMs",` +
		`200,"done","","ok",4,2,93,{},{"no-space-after-colon":1,"unlisted-event-name":1},-1,true]`
	if got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	sums := s.measured()
	for name, want := range map[string]float64{"stream_events matches": 1, "stream_events other": 1, "stream_events done": 1, "stream_matches": 2, "stream_ok": 1} {
		if sums[name] != want {
			t.Errorf("%s is %v in %v", name, sums[name], sums)
		}
	}
	for _, name := range []string{"stream_headers", "stream_first_event", "stream_first_match", "stream_duration"} {
		if sums[name] <= 0 || sums[name] > 5000 {
			t.Errorf("%s is %v", name, sums[name])
		}
	}
	if got := s.gives(`[assay.outcomes(), assay.observations()]`); got != `[{},{"no-space-after-colon":1,"unlisted-event-name":1}]` {
		t.Errorf("without a sample: %s", got)
	}
}

const sample = `{flow: "search", phase: "measure", side: "base", query: "q", planMs: assay.clockMs() - 50}`

func TestSamplesOfStreams(t *testing.T) {
	path := filepath.Join(t.TempDir(), "samples.ndjson")
	s := newScript(t, map[string]string{"ASSAY_SAMPLES": path}).running()
	_ = s.gives(`assay.read(base, {sample: ` + sample + `})`)
	_ = s.gives(`assay.read(base + "/busy", {sample: {...` + sample + `, block: 0, pair: 2, side: "head", phase: "warmup"}})`)
	if got, want := s.gives(`assay.outcomes()`), `{"stream ok":1}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := s.measured()["stream_first_match"]; got < 50 {
		t.Errorf("the first match came %v ms after its planned sending", got)
	}
	text, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 3 || !strings.Contains(lines[2], `"side":"head","block":0,"pair":2,`) || !strings.Contains(lines[2], `"outcome":"distress","status":429}`) {
		t.Errorf("%s", text)
	}
	if got := s.gives(`[assay.admit("base"), assay.admit("head") > 2000]`); got != `[0,true]` {
		t.Errorf("holds %s", got)
	}
}

func TestWhatCameOfAStreamOfWrongFormHasItsTimes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "samples.ndjson")
	s := newScript(t, map[string]string{"ASSAY_SAMPLES": path}).running()
	for _, address := range []string{"/commented", "/commented-and-cut"} {
		_ = s.gives(`assay.read(base + "` + address + `", {sample: {flow: "search", phase: "measure", side: "base", query: "q", planMs: 0}})`)
	}
	if got, want := s.gives(`assay.outcomes()`), `{"stream violation":2}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	text, _ := os.ReadFile(path)
	for _, ended := range []string{`"ended":"done"`, `"ended":"eof"`} {
		if !strings.Contains(string(text), ended) {
			t.Errorf("no %s in %s", ended, text)
		}
	}
	if sums := s.measured(); sums["stream_first_match"] <= 0 || sums["stream_ok"] != 0 {
		t.Errorf("%v", sums)
	}
}

func TestRequestsHaveTheGivenHeaders(t *testing.T) {
	s := newScript(t, nil)
	s.state.Options.UserAgent.SetValid("k6-of-the-test")
	s.running()
	_ = s.gives(`assay.read(base + "/echo", {headers: {authorization: "token t", host: "example.org"}})`)
	got := s.gives(`assay.read(base + "/echo", {headers: {Accept: "*/*"}}).then((r) => r.observations)`)
	if !strings.Contains(got, `"unlisted-event-name":1`) {
		t.Errorf("%s", got)
	}
	// The name of the event is only shown as one of the unlisted: ask the server again in plain Go.
	request, ok := (&call{url: "http://h/x", headers: map[string]string{"host": "example.org", "Authorization": "token t"}, state: s.state}).request()
	if !ok || request.Host != "example.org" || request.Header.Get("Authorization") != "token t" || request.Header.Get("Accept") != "text/event-stream" || request.Header.Get("User-Agent") != "k6-of-the-test" {
		t.Errorf("%+v", request)
	}
}

func TestStreamsOfOneUserRunBesideEachOther(t *testing.T) {
	s := newScript(t, nil).running()
	start := time.Now()
	got := s.gives(`Promise.all(Array.from({length: 20}, () => assay.read(base + "/silent", {timeoutMs: 1000}))).then((all) => all.map((r) => r.outcome).join(""))`)
	if got := s.gives(`assay.read(base, {maxEventBytes: 1e300, maxEvents: 1e300, timeoutMs: 1e300}).then((r) => r.outcome)`); got != `"ok"` {
		t.Errorf("without bounds: %s", got)
	}
	if want := `"` + strings.Repeat("timeout", 20) + `"`; got != want || time.Since(start) > 18*time.Second {
		t.Errorf("%s after %v, one after the other would take 20 s", got, time.Since(start))
	}
}

func TestAddressesThatCannotBeAsked(t *testing.T) {
	s := newScript(t, nil).running()
	for _, address := range []string{"http://%zz/", "%zz", "", "ftp://x/", "http://", "/path", "http://a b/", "http://[::1"} {
		got := s.gives(`assay.read(` + quoted(address) + `).then((r) => [r.status, r.ended, r.error, r.headersMs, r.firstMatchMs])`)
		if got != `[0,"transport","malformed-url",-1,-1]` {
			t.Errorf("%q: %s", address, got)
		}
	}
	if got := s.gives(`assay.read("http://127.0.0.1:1/", {headers: {"bad name": "x", y: "a\nb"}}).then((r) => r.ended)`); got != `"transport"` {
		t.Errorf("headers that cannot be sent: %s", got)
	}
}

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

func TestWrongUseThrows(t *testing.T) {
	s := newScript(t, nil)
	if got := s.gives(`assay.read(base)`); !strings.Contains(got, "while a scenario runs") {
		t.Errorf("at the start of the script: %s", got)
	}
	s.running()
	for use, want := range map[string]string{
		`assay.read(base, 5)`:                                                                   "options must be an object",
		`assay.read(base, {timeout: 5})`:                                                        `options has no member "timeout"`,
		`assay.read(base, {timeoutMs: "5"})`:                                                    "timeoutMs of options must be a number",
		`assay.read(base, {timeoutMs: 0})`:                                                      "timeoutMs of options must be a number of at least 1",
		`assay.read(base, {timeoutMs: NaN})`:                                                    "timeoutMs of options must be a number",
		`assay.read(base, {headers: "x"})`:                                                      "headers of options must be an object",
		`assay.read(base, {gzip: 1})`:                                                           "gzip of options must be true or false",
		`assay.read(base, {tags: {a: {}}})`:                                                     "invalid value for metric tag 'a'",
		`assay.read(base, {sample: {}})`:                                                        "flow of sample must be a string",
		`assay.read(base, {sample: {...` + sample + `, side: "c"}})`:                            "side of sample must be one of [base head]",
		`assay.read(base, {sample: {...` + sample + `, planMs: Infinity}})`:                     "planMs of sample must be a number",
		`assay.read(base, {sample: {...` + sample + `, more: 1}})`:                              `sample has no member "more"`,
		`assay.record()`:                                                                        "sample must be an object",
		`assay.record({...` + sample + `, kind: "call", sendMs: 1, endMs: 2, outcome: "fine"})`: "outcome of sample must be one of",
		`assay.record({...` + sample + `, kind: "call", sendMs: 1, endMs: 2, outcome: "ok", operation: "list"})`: "operation of sample must be one of",
		`assay.record({...` + sample + `, kind: "conversation", sendMs: 1, outcome: "ok"})`:                      "endMs of sample must be a number",
		`assay.admit("c")`:        "the side must be base or head",
		`assay.admit()`:           "the side must be base or head",
		`assay.setBudget("many")`: "the budget must be a number",
		`assay.intend({})`:        "marker of creation must be a string",
		`assay.intend({marker: "run-12345678", interface: "legacy", credential: "mine"})`:  "credential of creation must be one of",
		`assay.intend({marker: "short", interface: "legacy", credential: "access-token"})`: "the marker of a run must be a word",
	} {
		if got := s.gives(use); !strings.HasPrefix(got, "TypeError: k6/x/assay ") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", use, got)
		}
	}
}

func TestRecordedSamples(t *testing.T) {
	path := filepath.Join(t.TempDir(), "samples.ndjson")
	s := newScript(t, map[string]string{"ASSAY_SAMPLES": path}).running()
	const base = `flow: "conversation", phase: "measure", side: "base", query: "q", planMs: 10`
	for _, sample := range []string{
		`{kind: "call", ` + base + `, sendMs: 11, endMs: 30.5, outcome: "ok", operation: "create", status: 201}`,
		`{kind: "call", ` + base + `, sendMs: 10, endMs: 12, outcome: "ok", operation: "poll", status: 200, codes: {none: 0}}`,
		`{kind: "call", ` + base + `, sendMs: 10, endMs: 12, outcome: "violation", operation: "poll", status: 200, codes: {"bad-answer": 2}}`,
		`{kind: "conversation", ` + base + `, sendMs: 11, endMs: 510, outcome: "ok", state: "completed", lastOpenMs: 260, polls: 4}`,
		`{kind: "conversation", ` + base + `, sendMs: 11, endMs: 510, outcome: "unfinished", polls: 4}`,
		`{kind: "stream", ` + base + `, sendMs: 10, endMs: 10, outcome: "held-back"}`,
	} {
		if got := s.gives("assay.record(" + sample + ")"); got != "undefined" {
			t.Errorf("%s: %s", sample, got)
		}
	}
	got := s.gives(`[assay.outcomes(), assay.violations()]`)
	want := `[{"call ok":2,"call violation":1,"conversation ok":1,"conversation unfinished":1,"stream held-back":1},{"bad-answer":2}]`
	if got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	sums := s.measured()
	if sums["conversation_create"] != 20.5 || sums["conversation_terminal"] != 500 || sums["conversation_ok"] != 1 || sums["conversation_violations bad-answer"] != 2 {
		t.Errorf("%v", sums)
	}
	if text, _ := os.ReadFile(path); strings.Count(string(text), "\n") != 7 {
		t.Errorf("%s", text)
	}
}

func TestAFileThatCannotBeWrittenAbortsTheTest(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	for _, use := range []string{
		`assay.read(base, {sample: ` + sample + `}).then(() => 1)`,
		`assay.record({...` + sample + `, kind: "stream", sendMs: 1, endMs: 2, outcome: "ok"})`,
		`assay.intend({marker: "run-12345678", interface: "legacy", credential: "access-token"})`,
	} {
		s := newScript(t, map[string]string{"ASSAY_SAMPLES": "/dev/full", "ASSAY_LEDGER": "/dev/full"}).running()
		got := s.gives(use)
		if !strings.HasPrefix(got, "stopped: test aborted: the ") || !strings.Contains(got, "/dev/full cannot be written: the disk is full; free some space") {
			t.Errorf("%s: %s", use, got)
		}
	}
}

func TestTheBudgetIsSharedByAllUsers(t *testing.T) {
	first := newScript(t, nil)
	if got := first.gives(`assay.takeQuestion()`); got != "false" {
		t.Errorf("without a budget: %s", got)
	}
	second := first.root.script(t)
	_ = first.gives(`assay.setBudget(3)`)
	_ = second.gives(`assay.setBudget(100)`)
	got := first.gives(`[assay.takeQuestion(), assay.takeQuestion()]`) + second.gives(`[assay.takeQuestion(), assay.takeQuestion()]`)
	if got != `[true,true][true,false]` {
		t.Error(got)
	}
}

func TestTheGuardsOfPollingScenarios(t *testing.T) {
	s := newScript(t, nil).running()
	got := s.gives(`(assay.distress("head", 90000), assay.distress("base"), assay.succeeded("base"), assay.failed("base"), [assay.admit("base") > 0, assay.admit("head") > 1000, assay.admit("head") <= 60000])`)
	if got != `[true,true,true]` {
		t.Error(got)
	}
}

func TestTheLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.ndjson")
	s := newScript(t, map[string]string{"ASSAY_LEDGER": path, "ASSAY_AGAINST_TOKEN": "hidden"}).running()
	got := s.gives(`((k) => (assay.made(k, "conversations/hidden"), assay.nothing(k), assay.deleted(k), k))(assay.intend({marker: "run-12345678", interface: "current", credential: "access-token"}))`)
	text, _ := os.ReadFile(path)
	if got != `"1"` || strings.Count(string(text), "\n") != 4 || strings.Contains(string(text), "hidden") {
		t.Errorf("%s\n%s", got, text)
	}
}

func TestTheRateLimitOfK6IsRespected(t *testing.T) {
	s := newScript(t, nil)
	s.state.RPSLimit = rate.NewLimiter(20, 1)
	s.running()
	start := time.Now()
	_ = s.gives(`Promise.all(Array.from({length: 7}, () => assay.read(base)))`)
	if spent := time.Since(start); spent < 280*time.Millisecond {
		t.Errorf("7 requests at 20 a second took %v", spent)
	}
}

func TestFactsAreOrdinaryObjects(t *testing.T) {
	s := newScript(t, nil).running()
	_ = s.gives(`assay.admit("base")`)
	got := s.gives(`[Object.keys(assay.generator()).join(), assay.generator().cores > 0, Math.abs(Date.now() - assay.epochMs() - assay.clockMs()) < 1000, typeof assay.version(), Object.assign(assay.outcomes(), {x: 1})]`)
	if got != `["cpuSeconds,wallSeconds,cores,maxRssBytes,timerLagP99Ms,timerLagMaxMs",true,true,"string",{"x":1}]` {
		t.Error(got)
	}
}

func TestTheStartOfAScenarioIsOnTheRunClock(t *testing.T) {
	s := newScript(t, nil).running()
	if got := s.gives(`[typeof assay.scenarioStartMs()]`); got != `["undefined"]` {
		t.Errorf("outside a scenario: %s", got)
	}
	s.VU.CtxField = lib.WithScenarioState(t.Context(), &lib.ScenarioState{StartTime: s.root.run.clock.At(1250)})
	if got := s.gives(`assay.scenarioStartMs()`); got != "1.25" {
		t.Errorf("in a scenario: %s", got)
	}
}

func TestARunThatEndsLeavesNoUserWaiting(t *testing.T) {
	s := newScript(t, nil).running()
	time.AfterFunc(200*time.Millisecond, s.CancelContext)
	if got := s.gives(`assay.read(base + "/silent", {sample: ` + sample + `}).then((r) => r.outcome)`); got != `"canceled"` {
		t.Error(got)
	}
	if sums := s.measured(); len(sums) != 0 {
		t.Errorf("metrics after the end: %v", sums)
	}
}

func TestArrivalsThatWereLeftOutAreGivenOnce(t *testing.T) {
	s := newScript(t, map[string]string{})
	got, err := s.VU.Runtime().RunString(`JSON.stringify([assay.missed("none"), assay.takeMissed("none")])`)
	if err != nil || got.String() != `[0,{"startMs":0,"afterMs":[]}]` {
		t.Errorf("%v, %v", got, err)
	}
}

func TestPollersOfAConversationAreKeptApart(t *testing.T) {
	folder := t.TempDir()
	s := newScript(t, map[string]string{
		"ASSAY_EXCHANGES": folder, "ASSAY_KEEP_BYTES": "1000000", "ASSAY_REDACTION_KEY": strings.Repeat("0a", 16),
		"ASSAY_SECRETS": "[]", "ASSAY_SECRET_HEADERS": "[]",
	}).running()
	base := s.VU.Runtime().Get("base").String()
	s.gives(`assay.keepCalls({interface: "legacy", session: "c7", phase: "measure", side: "base", query: "q"})`)
	for _, fragment := range []string{"", "#2", "#3"} {
		request, err := http.NewRequest(http.MethodGet, base+"/7"+fragment, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := s.state.Transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if want := strings.TrimPrefix(fragment, "#"); request.URL.Fragment != want {
			t.Errorf("the request that k6 sends was changed: %q", request.URL.Fragment)
		}
	}
	s.gives(`[assay.callsEnded(), assay.settle()]`)
	paths, _ := filepath.Glob(filepath.Join(folder, "conversation-*.bin"))
	if len(paths) != 1 {
		t.Fatalf("what belongs together lies in %v", paths)
	}
	kept, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	for text, times := range map[string]int{`"session":"c7"`: 3, `"poller":"2"`: 1, `"poller":"3"`: 1, `"poller"`: 2, "/7#": 0} {
		if got := strings.Count(string(kept), text); got != times {
			t.Errorf("%s is kept %d times, want %d", text, got, times)
		}
	}
}

func TestALoadFollowsItsCoordinator(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	s := newScript(t, map[string]string{"ASSAY_COORDINATOR": listener.Addr().String(), "ASSAY_COORDINATOR_KEY": "key", "HOSTNAME": "load-1"})
	connection, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	// Without its coordinator, the load interrupts its process.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	_ = connection.SetReadDeadline(time.Now().Add(20 * time.Second))
	lines := bufio.NewScanner(connection)
	readUntil := func(part string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), part) {
				return
			}
		}
		t.Fatalf("the coordinator did not receive %s", part)
	}
	readUntil(`{"hello":{"key":"key","name":"load-1"}}`)
	s.gives(`(assay.distress("base", 3000), assay.succeeded("base"), assay.failed("base"))`)
	readUntil(`{"distress":{"side":"base","pauseMs":3000}}`)
	readUntil(`{"counts":{"ok":1,"failed":2,"lastFailure":"bad-status"}}`)

	_, _ = connection.Write([]byte(`{"distress":{"side":"head","pauseMs":9000}}` + "\n"))
	for deadline := time.Now().Add(20 * time.Second); s.gives(`assay.admit("head") > 0`) != "true"; {
		if time.Now().After(deadline) {
			t.Fatal("the distress of another process has no effect")
		}
		time.Sleep(time.Millisecond)
	}

	_ = connection.Close()
	select {
	case <-interrupts:
	case <-time.After(20 * time.Second):
		t.Fatal("the load goes on without its coordinator")
	}
}
