package module

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"assay/k6/exchanges"
	"assay/k6/reader"
	"assay/k6/samples"
	"assay/k6/stream"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"
)

var (
	readMembers = []string{"headers", "timeoutMs", "maxEventBytes", "maxEvents", "gzip", "tags", "sample"}
	planMembers = []string{"flow", "phase", "side", "block", "pair", "query", "planMs"}
)

// call is one read() outside the event loop. It must not use JavaScript values.
type call struct {
	instance *instance
	ctx      context.Context
	state    *lib.State
	url      string
	headers  map[string]string
	options  reader.Options
	tags     metrics.TagsAndMeta
	// sample is nil if none was requested.
	sample *samples.Sample
}

// read starts reading a stream and returns a promise of its result.
func (i *instance) read(address string, options sobek.Value) *sobek.Promise {
	c, err := i.newCall(address, options)
	if err != nil {
		i.throw("read", err.Error())
	}
	i.run.start()
	promise, resolve, reject := i.vu.Runtime().NewPromise()
	enqueue := i.vu.RegisterCallback()
	go func() {
		result, err := c.execute()
		enqueue(func() error {
			if result == nil {
				i.abort(err.Error())
				return reject(i.vu.Runtime().NewGoError(err))
			}
			if err != nil {
				i.abort(err.Error())
			}
			return resolve(i.resultObject(result))
		})
	}()
	return promise
}

func (i *instance) newCall(address string, options sobek.Value) (*call, error) {
	state := i.vu.State()
	if state == nil {
		return nil, fmt.Errorf("streams can only be read while a scenario runs, not at the start of the script")
	}
	if err := i.route(); err != nil {
		return nil, err
	}
	c := &call{instance: i, ctx: i.vu.Context(), state: state, url: address, tags: state.Tags.GetCurrentValues()}
	if common.IsNullish(options) {
		options = i.vu.Runtime().NewObject()
	}
	a := newArguments(i.vu.Runtime(), options, "options", readMembers)
	c.headers = a.stringMap("headers")
	c.options = reader.Options{
		Timeout: time.Duration(micros(a.atLeast("timeoutMs", 1, 60_000))) * time.Microsecond,
		Limits: stream.Limits{
			MaxLineBytes: int(a.atLeast("maxEventBytes", 1, float64(stream.DefaultLimits.MaxLineBytes))),
			MaxEvents:    int(a.atLeast("maxEvents", 1, float64(stream.DefaultLimits.MaxEvents))),
		},
		Gzip: a.flag("gzip"),
		Now:  i.run.clock.Micros,
	}
	if tags := a.get("tags"); tags != nil {
		if err := common.ApplyCustomUserTags(i.vu.Runtime(), &c.tags, tags); err != nil {
			return nil, err
		}
	}
	if sample := a.get("sample"); sample != nil {
		plannedSample, err := newSample(i.vu.Runtime(), sample)
		if err != nil {
			return nil, err
		}
		c.sample = plannedSample
	}
	return c, a.err
}

func newSample(rt *sobek.Runtime, value sobek.Value) (*samples.Sample, error) {
	a := newArguments(rt, value, "sample", planMembers)
	s := samples.New("stream")
	readPlan(a, &s)
	return &s, a.err
}

// readPlan reads the members of a sample that are known before sending.
func readPlan(a *arguments, s *samples.Sample) {
	s.Flow = a.text("flow")
	s.Phase = a.choice("phase", "warmup", "measure")
	s.Side = a.choice("side", "base", "head")
	s.Block = int64(a.numberOr("block", float64(samples.None)))
	s.Pair = int64(a.numberOr("pair", float64(samples.None)))
	s.Query = a.text("query")
	s.Plan = a.micros("planMs")
}

// execute reads the stream and records the result. The result is nil if Assay itself failed.
func (c *call) execute() (result *reader.Result, err error) {
	defer func() {
		if panicValue := recover(); panicValue != nil {
			result, err = nil, fmt.Errorf("the reader of streams failed: %v", panicValue)
		}
	}()
	streamResult := c.readStream()
	c.options.Recording.End(exchanges.End{
		Code: streamResult.Failure(), ByClient: streamResult.IsOpen,
		SentAt: streamResult.SendAt, HeadersAt: streamResult.HeadersAt, EndedAt: streamResult.EndAt,
	})
	c.updateGuard(&streamResult)
	c.pushMetrics(&streamResult)
	return &streamResult, c.recordSample(&streamResult)
}

func (c *call) readStream() reader.Result {
	request, ok := c.request()
	if !ok {
		return c.unsentResult(reader.EndedTransport, reader.CauseBadURL)
	}
	if limit := c.state.RPSLimit; limit != nil {
		if err := limit.Wait(c.ctx); err != nil {
			return c.unsentResult(reader.EndedCanceled, reader.CauseCanceled)
		}
	}
	c.options.Recording = c.instance.run.exchanges.Begin(c.meta(), request, "")
	if c.sample != nil {
		underWay := c.instance.run.underWay
		openStream := underWay.Begin(c.sample)
		defer underWay.End(openStream)
		c.options.OnTimes = openStream.SetTimes
	}
	return reader.Read(c.ctx, c.state.Transport, request, c.options)
}

func (c *call) meta() exchanges.Meta {
	meta := exchanges.Meta{Group: exchanges.Search, Interface: "stream"}
	if s := c.sample; s != nil {
		meta.Phase, meta.Side, meta.Query = s.Phase, s.Side, s.Query
	}
	return meta
}

func (c *call) request() (*http.Request, bool) {
	address, err := url.Parse(c.url)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return nil, false
	}
	request := &http.Request{Method: http.MethodGet, URL: address, Host: address.Host, Header: http.Header{}}
	request.Header.Set("Accept", "text/event-stream")
	if agent := c.state.Options.UserAgent; agent.Valid {
		request.Header.Set("User-Agent", agent.String)
	}
	for name, value := range c.headers {
		if http.CanonicalHeaderKey(name) == "Host" {
			request.Host = value
		}
		request.Header.Set(name, value)
	}
	return request, true
}

// unsentResult returns the result of a stream that was not sent.
func (c *call) unsentResult(ended reader.Ended, cause reader.Cause) reader.Result {
	now := c.options.Now()
	result := reader.Result{
		Ended: ended, Cause: cause, SendAt: now, HeadersAt: stream.Never, EndAt: now, RetryAfter: reader.NoRetryAfter,
	}
	result.FirstEventAt, result.FirstMatchAt = stream.Never, stream.Never
	return result
}

// side returns the side of the target.
func (c *call) side() string {
	if c.sample == nil {
		return "base"
	}
	return c.sample.Side
}

// updateGuard reports the result to the guard of the target.
func (c *call) updateGuard(r *reader.Result) {
	guard, fleet := c.instance.run.guards[c.side()], c.instance.run.fleet
	switch outcome := r.Outcome(); outcome {
	case "distress":
		guard.Distress(fromMicros(r.EndAt), r.RetryAfter)
		fleet.Distress(c.side(), r.RetryAfter)
	case "ok", "violation":
		guard.Succeeded(fromMicros(r.SendAt))
		fleet.Succeeded()
	case "timeout", "transport", "bad-status", "refused":
		guard.Failed(fromMicros(r.EndAt))
		fleet.Failed(outcome)
	}
}

func fromMicros(micros int64) time.Duration { return time.Duration(micros) * time.Microsecond }

// pushMetrics adds the result to k6's metrics.
func (c *call) pushMetrics(r *reader.Result) {
	from := r.SendAt
	if c.sample != nil {
		from = c.sample.Plan
	}
	f := metricBatch{at: c.instance.run.clock.At(r.EndAt), tags: c.tags}
	c.instance.metrics.addStreamMetrics(&f, r, from)
	metrics.PushIfNotDone(c.ctx, c.state.Samples, f.list)
}

// recordSample counts the result and writes the sample.
func (c *call) recordSample(r *reader.Result) error {
	run := c.instance.run
	if c.sample == nil {
		run.count(r.ViolationCounts(), countObservations(r))
		return nil
	}
	run.count(nil, countObservations(r))
	s := c.sample
	s.Send, s.End = r.SendAt, r.EndAt
	s.Headers, s.FirstEvent, s.FirstMatch = r.HeadersAt, r.FirstEventAt, r.FirstMatchAt
	s.Events, s.Matches, s.Bytes = int64(r.Events), r.Matches, r.Bytes
	s.Outcome, s.Status, s.Codes = r.Outcome(), int64(r.Status), r.ViolationCounts()
	if s.Outcome == "violation" {
		s.Ended = string(r.Ended)
	}
	return run.writeSample(s)
}
