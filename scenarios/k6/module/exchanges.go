package module

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"

	"assay/k6/exchanges"
	"assay/k6/reader"
	"assay/k6/redact"
	"assay/k6/runclock"

	"github.com/grafana/sobek"
)

// newExchanges makes what keeps exchanges: in the folder ASSAY_EXCHANGES, up to ASSAY_KEEP_BYTES, with ASSAY_SECRETS (a
// list of texts in JSON) and the values of the headers ASSAY_SECRET_HEADERS replaced under ASSAY_REDACTION_KEY (in
// hexadecimal). Nil where one of them is missing or cannot be used: nothing is kept that was not looked through.
func newExchanges(getenv func(string) string, clock runclock.Clock) *exchanges.Recorder {
	maxBytes, err := strconv.ParseInt(getenv("ASSAY_KEEP_BYTES"), 10, 64)
	if err != nil {
		return nil
	}
	key, err := hex.DecodeString(getenv("ASSAY_REDACTION_KEY"))
	if err != nil || len(key) < 16 {
		return nil
	}
	options := exchanges.Options{
		Folder: getenv("ASSAY_EXCHANGES"), MaxBytes: maxBytes, EpochMs: clock.EpochMs(), Now: clock.Micros,
	}
	var secrets, names []string
	if json.Unmarshal([]byte(getenv("ASSAY_SECRETS")), &secrets) != nil || json.Unmarshal([]byte(getenv("ASSAY_SECRET_HEADERS")), &names) != nil {
		return nil
	}
	for group := range options.Redactors {
		redactor, err := redact.New(key, secrets, names)
		if err != nil {
			return nil
		}
		options.Redactors[group] = redactor
	}
	return exchanges.New(options)
}

// keptCalls keeps what k6/http sends for one virtual user; others see the same bytes at the same times. Several requests may be
// on their way at once.
type keptCalls struct {
	http.RoundTripper
	run  *run
	meta atomic.Pointer[exchanges.Meta]
}

// keepCalls says what the calls of k6/http that this virtual user sends from now on are for.
func (i *instance) keepCalls(value sobek.Value) {
	a := newArguments(i.vu.Runtime(), value, "calls", []string{"interface", "session", "phase", "arm", "query"})
	meta := exchanges.Meta{
		Group:     exchanges.Conversation,
		Interface: a.oneOf("interface", "legacy", "current"),
		Session:   a.text("session"),
		Phase:     a.oneOf("phase", "warmup", "measure"),
		Arm:       a.oneOf("arm", "a", "b"),
		Query:     a.text("query"),
	}
	if a.err != nil {
		i.throw("keepCalls", a.err.Error())
	}
	state := i.vu.State()
	if i.run.exchanges == nil || state == nil {
		return
	}
	if err := i.route(); err != nil {
		i.abort(err.Error())
	}
	if i.calls == nil {
		i.calls = &keptCalls{RoundTripper: state.Transport, run: i.run}
		state.Transport = i.calls
	}
	i.calls.meta.Store(&meta)
}

// callsEnded says that nothing more comes from the session.
func (i *instance) callsEnded() {
	if i.calls != nil {
		if meta := i.calls.meta.Swap(nil); meta != nil {
			i.run.exchanges.SessionEnded(meta.Session)
		}
	}
}

// RoundTrip sends a request and keeps it, its answer and how it ended. Streams are kept by their reader. Which poller sends it
// stands in the fragment of its address, which nobody else is told.
func (k *keptCalls) RoundTrip(request *http.Request) (*http.Response, error) {
	now := k.run.clock.Micros
	current := k.meta.Load()
	if current == nil {
		return k.RoundTripper.RoundTrip(request)
	}
	meta := *current
	if meta.Poller = request.URL.Fragment; meta.Poller != "" {
		address := *request.URL
		address.Fragment, address.RawFragment = "", ""
		request = request.WithContext(request.Context())
		request.URL = &address
	}
	kept := &keptBody{
		exchange: k.run.exchanges.Begin(meta, request, bodyOf(request)),
		request:  request, now: now,
		end: exchanges.End{SentAt: now(), HeadersAt: -1},
	}
	response, err := k.RoundTripper.RoundTrip(request)
	if err != nil {
		kept.finish(reader.FailureOf(request.Context(), err, false))
		return response, err
	}
	kept.end.HeadersAt = now()
	kept.exchange.Head(response)
	kept.body = response.Body
	response.Body = kept
	return response, nil
}

// bodyOf is what is sent, where it can be read twice.
func bodyOf(request *http.Request) string {
	const most = 1 << 20
	if request.GetBody == nil || request.ContentLength <= 0 || request.ContentLength > most {
		return ""
	}
	body, err := request.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, most))
	if err != nil {
		return ""
	}
	return string(text)
}

// keptBody is the body of an answer, kept while it is read.
type keptBody struct {
	exchange *exchanges.Exchange
	request  *http.Request
	body     io.ReadCloser
	now      func() int64
	end      exchanges.End
}

func (b *keptBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.exchange.Take(p[:n], b.now())
	switch {
	case err == io.EOF:
		b.finish("")
	case err != nil:
		b.finish(reader.FailureOf(b.request.Context(), err, true))
	}
	return n, err
}

// Close ends it early, unless it has ended.
func (b *keptBody) Close() error {
	b.finish("aborted")
	return b.body.Close()
}

func (b *keptBody) finish(failure string) {
	b.end.Code, b.end.EndedAt = failure, b.now()
	b.exchange.End(b.end)
	b.exchange = nil
}
