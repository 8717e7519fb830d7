package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/grafana/sobek"
	"github.com/tmaxmax/go-sse"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"
)

// maxEventBytes is far above the largest event of the benchmark.
const maxEventBytes = 64 << 20

// rootModule is `k6/x/peer`: a client that does what the usual event-stream extension of k6 does. Each stream has a transport of its
// own, a goroutine reads it with a library for server-sent events, each event crosses a channel into the loop of the virtual user,
// which it blocks until the stream ends, is counted by a metric and is handed to a callback in JavaScript. Nothing is parsed
// beyond the fields of the stream, nothing is checked, and times are what JavaScript reads from its clock.
type rootModule struct{}

type instance struct {
	vu     modules.VU
	events *metrics.Metric
}

// event is what the callback gets.
type event struct {
	Name string `js:"name"`
	Data string `js:"data"`
}

type result struct {
	Status int    `js:"status"`
	Error  string `js:"error"`
}

// NewModuleInstance implements modules.Module.
func (*rootModule) NewModuleInstance(vu modules.VU) modules.Instance {
	events, err := vu.InitEnv().Registry.NewMetric("peer_event", metrics.Counter)
	if err != nil {
		common.Throw(vu.Runtime(), err)
	}
	return &instance{vu: vu, events: events}
}

// Exports implements modules.Instance.
func (i *instance) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{"open": i.open}}
}

// open reads one stream to its end and calls onEvent for each event; it returns when the stream has ended.
func (i *instance) open(url string, onEvent sobek.Callable) (*result, error) {
	state := i.vu.State()
	if state == nil {
		return nil, common.NewInitContextError("streams cannot be opened in the init context")
	}
	transport := newTransport(state)
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithCancel(i.vu.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("the address of the stream: %w", err)
	}
	request.Header.Set("Accept", "text/event-stream")
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return &result{Error: err.Error()}, nil
	}
	defer func() { _ = response.Body.Close() }()
	failure, err := i.deliver(ctx, response.Body, onEvent)
	return &result{Status: response.StatusCode, Error: failure}, err
}

// deliver hands over all events of a body. The first value is why reading failed, the error is what the callback threw.
func (i *instance) deliver(ctx context.Context, body io.Reader, onEvent sobek.Callable) (string, error) {
	state, runtime := i.vu.State(), i.vu.Runtime()
	tags := state.Tags.GetCurrentValues()
	events := make(chan event)
	failed := make(chan error, 1)
	go func() {
		defer close(events)
		failed <- readEvents(ctx, body, events)
	}()
	for received := range events {
		metrics.PushIfNotDone(ctx, state.Samples, metrics.Sample{
			TimeSeries: metrics.TimeSeries{Metric: i.events, Tags: tags.Tags},
			Time:       time.Now(),
			Metadata:   tags.Metadata,
			Value:      1,
		})
		if _, err := onEvent(sobek.Undefined(), runtime.ToValue(received)); err != nil {
			return "", err
		}
	}
	if err := <-failed; err != nil {
		return err.Error(), nil
	}
	return "", nil
}

func readEvents(ctx context.Context, body io.Reader, events chan<- event) error {
	for received, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: maxEventBytes}) {
		if err != nil {
			return err
		}
		select {
		case events <- event{Name: received.Type, Data: received.Data}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func newTransport(state *lib.State) *http.Transport {
	transport := &http.Transport{DialContext: state.Dialer.DialContext, Proxy: http.ProxyFromEnvironment}
	if state.TLSConfig != nil {
		transport.TLSClientConfig = state.TLSConfig.Clone()
		transport.TLSClientConfig.NextProtos = []string{"http/1.1"}
	}
	return transport
}
