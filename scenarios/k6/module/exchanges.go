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

// newExchanges returns the recorder of exchanges. It writes to the folder ASSAY_EXCHANGES, up to ASSAY_KEEP_BYTES. It
// redacts ASSAY_SECRETS (a JSON list of strings) and the values of the headers ASSAY_SECRET_HEADERS with the key
// ASSAY_REDACTION_KEY (hexadecimal). It returns nil if one of them is missing or invalid, because unredacted data must
// not be stored.
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

// callRecorder records the k6/http calls of one virtual user. Several requests may be in flight.
type callRecorder struct {
	http.RoundTripper
	run  *run
	meta atomic.Pointer[exchanges.Meta]
}

// keepCalls records the next k6/http calls of this virtual user as part of a conversation.
func (i *instance) keepCalls(value sobek.Value) {
	a := newArguments(i.vu.Runtime(), value, "calls", []string{"interface", "session", "phase", "side", "query"})
	meta := exchanges.Meta{
		Group:     exchanges.Conversation,
		Interface: a.choice("interface", "legacy", "current"),
		Session:   a.text("session"),
		Phase:     a.choice("phase", "warmup", "measure"),
		Side:      a.choice("side", "base", "head"),
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
		i.calls = &callRecorder{RoundTripper: state.Transport, run: i.run}
		state.Transport = i.calls
	}
	i.calls.meta.Store(&meta)
}

func (i *instance) callsEnded() {
	if i.calls != nil {
		if meta := i.calls.meta.Swap(nil); meta != nil {
			i.run.exchanges.SessionEnded(meta.Session)
		}
	}
}

// RoundTrip sends a request and records it with its response. Streams are recorded by their reader. The fragment of the
// URL names the poller and is not sent.
func (k *callRecorder) RoundTrip(request *http.Request) (*http.Response, error) {
	now := k.run.clock.Micros
	metaPointer := k.meta.Load()
	if metaPointer == nil {
		return k.RoundTripper.RoundTrip(request)
	}
	meta := *metaPointer
	if meta.Poller = request.URL.Fragment; meta.Poller != "" {
		sentURL := *request.URL
		sentURL.Fragment, sentURL.RawFragment = "", ""
		request = request.WithContext(request.Context())
		request.URL = &sentURL
	}
	body := &recordedBody{
		exchange: k.run.exchanges.Begin(meta, request, requestBody(request)),
		request:  request, now: now,
		end: exchanges.End{SentAt: now(), HeadersAt: -1},
	}
	response, err := k.RoundTripper.RoundTrip(request)
	if err != nil {
		body.finish(reader.FailureCode(request.Context(), err, false))
		return response, err
	}
	body.end.HeadersAt = now()
	body.exchange.Head(response)
	body.body = response.Body
	response.Body = body
	return response, nil
}

// requestBody returns the request body, if it can be read twice.
func requestBody(request *http.Request) string {
	const maxBytes = 1 << 20
	if request.GetBody == nil || request.ContentLength <= 0 || request.ContentLength > maxBytes {
		return ""
	}
	body, err := request.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, maxBytes))
	if err != nil {
		return ""
	}
	return string(text)
}

// recordedBody is a response body that is recorded while it is read.
type recordedBody struct {
	exchange *exchanges.Exchange
	request  *http.Request
	body     io.ReadCloser
	now      func() int64
	end      exchanges.End
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.exchange.Append(p[:n], b.now())
	switch {
	case err == io.EOF:
		b.finish("")
	case err != nil:
		b.finish(reader.FailureCode(b.request.Context(), err, true))
	}
	return n, err
}

// Close ends the exchange if it has not ended yet.
func (b *recordedBody) Close() error {
	b.finish("aborted")
	return b.body.Close()
}

func (b *recordedBody) finish(failure string) {
	b.end.Code, b.end.EndedAt = failure, b.now()
	b.exchange.End(b.end)
	b.exchange = nil
}
