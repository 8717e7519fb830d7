package reader

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/k6/runclock"
	"assay/k6/stream"
)

const (
	done     = "event: done\ndata: {}\n\n"
	progress = "event: progress\ndata: {\"done\":false}\n\n"
	matches  = "event: matches\ndata: [{\"type\":\"path\"},{\"type\":\"path\"}]\n\n"
	head     = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
)

func transport(t testing.TB) *http.Transport {
	t.Helper()
	made := &http.Transport{DisableCompression: true}
	t.Cleanup(made.CloseIdleConnections)
	return made
}

func read(t testing.TB, address string, options Options) Result {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return readWith(t.Context(), transport(t), target, options)
}

func readWith(ctx context.Context, transport http.RoundTripper, target *url.URL, options Options) Result {
	if options.Timeout == 0 {
		// Longer than all tests may take: a test that waits for it fails.
		options.Timeout = time.Hour
	}
	if options.Limits == (stream.Limits{}) {
		options.Limits = stream.DefaultLimits
	}
	options.Now = runclock.New().Micros
	request := &http.Request{Method: http.MethodGet, URL: target, Host: target.Host, Header: http.Header{}}
	return Read(ctx, transport, request, options)
}

// rawServer answers each connection with a function that writes what it likes after the request has come.
func rawServer(t testing.TB, answer func(*net.TCPConn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(connection.(*net.TCPConn), answer)
		}
	}()
	return "http://" + listener.Addr().String()
}

func serve(connection *net.TCPConn, answer func(*net.TCPConn)) {
	defer connection.Close()
	buffer := make([]byte, 4096)
	for request := ""; !strings.Contains(request, "\r\n\r\n"); {
		n, err := connection.Read(buffer)
		if err != nil {
			return
		}
		request += string(buffer[:n])
	}
	answer(connection)
}

// untilClosed waits until the client has gone.
func untilClosed(connection net.Conn) { _, _ = io.Copy(io.Discard, connection) }

func says(text string) func(*net.TCPConn) {
	return func(connection *net.TCPConn) { _, _ = io.WriteString(connection, text) }
}

// saysAndWaits writes a text and leaves the connection open.
func saysAndWaits(text string) func(*net.TCPConn) {
	return func(connection *net.TCPConn) {
		_, _ = io.WriteString(connection, text)
		untilClosed(connection)
	}
}

// saysAndResets writes a text and breaks the connection; what came before the reset is read first.
func saysAndResets(text string) func(*net.TCPConn) {
	return func(connection *net.TCPConn) {
		_, _ = io.WriteString(connection, text)
		_ = connection.SetLinger(0)
	}
}

func chunked(texts ...string) string {
	var all strings.Builder
	all.WriteString(head + "Transfer-Encoding: chunked\r\n\r\n")
	for _, text := range texts {
		fmt.Fprintf(&all, "%x\r\n%s\r\n", len(text), text)
	}
	return all.String()
}

func sized(n int, text string) string {
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, n, text)
}

// endless writes a text over and over until the client has gone.
func endless(first, text string) func(*net.TCPConn) {
	return func(connection *net.TCPConn) {
		_, err := io.WriteString(connection, first)
		for err == nil {
			_, err = io.WriteString(connection, text)
		}
	}
}

func TestEveryEndingHasItsWord(t *testing.T) {
	whole := progress + matches + done
	short := Options{Timeout: 200 * time.Millisecond}
	tests := []struct {
		name       string
		answer     func(*net.TCPConn)
		options    Options
		ended      Ended
		cause      Cause
		outcome    string
		violations map[string]int
	}{
		{"a whole stream", says(sized(len(whole), whole)), Options{}, EndedDone, CauseNone, "ok", nil},
		{"a whole stream in chunks", says(chunked(whole[:50], whole[50:]) + "0\r\n\r\n"), Options{}, EndedDone, CauseNone, "ok", nil},
		{"a stream that ends with its connection", says(head + "\r\n" + whole), Options{}, EndedDone, CauseNone, "ok", nil},
		{"done on a connection that stays open", saysAndWaits(chunked(whole)), Options{}, EndedDone, CauseNone, "ok", nil},
		{"done and then a reset", saysAndResets(chunked(whole)), Options{}, EndedDone, CauseAfterDone, "ok", nil},
		{"done and then a cut body", says(sized(len(whole)+5, whole)), Options{}, EndedDone, CauseAfterDone, "ok", nil},
		{"bytes after done", says(chunked(whole+"x") + "0\r\n\r\n"), Options{}, EndedDone, CauseNone, "violation", map[string]int{"bytes-after-done": 1}},
		{"bytes after done on an open connection", saysAndWaits(chunked(whole + "x")), Options{}, EndedDone, CauseNone, "violation", map[string]int{"bytes-after-done": 1}},
		{"later bytes after done and a reset", saysAndResets(chunked(whole, "event: x\n")), Options{}, EndedDone, CauseAfterDone, "violation", map[string]int{"bytes-after-done": 1}},
		{"endless bytes after done", endless(chunked(whole), "1\r\n\n\r\n"), Options{}, EndedDone, CauseNone, "violation", map[string]int{"bytes-after-done": 1}},
		{"no done", says(chunked(matches) + "0\r\n\r\n"), Options{}, EndedEOF, CauseNone, "violation", map[string]int{"no-done": 1}},
		{"no bytes", says(sized(0, "")), Options{}, EndedEOF, CauseNone, "violation", map[string]int{"no-done": 1}},
		{"a done without its blank line", says(sized(21, done)), Options{}, EndedDone, CauseNone, "ok", nil},
		{"a done that is cut off", says(sized(19, done)), Options{}, EndedEOF, CauseNone, "violation", map[string]int{"unterminated-event": 1}},
		{"a reset in the middle", saysAndResets(chunked(progress, matches)), Options{}, EndedTransport, CauseReset, "transport", nil},
		{"a reset in the middle of an event", saysAndResets(chunked(progress, matches[:30])), Options{}, EndedTransport, CauseReset, "transport", nil},
		{"chunks cut in the middle", says(chunked(progress, matches)), Options{}, EndedTransport, CauseCut, "transport", nil},
		{"a body shorter than it says", says(sized(5000, progress+matches)), Options{}, EndedTransport, CauseCut, "transport", nil},
		{"a violation before a cut", says(chunked("\n" + progress)), Options{}, EndedTransport, CauseCut, "violation", map[string]int{"extra-blank-line": 1}},
		{"a malformed chunk", says(chunked(progress) + "zz\r\n"), Options{}, EndedTransport, CauseBadAnswer, "transport", nil},
		{"an endless chunk size", endless(chunked(progress), "0"), Options{}, EndedTransport, CauseBadAnswer, "transport", nil},
		{"silence in the middle", saysAndWaits(chunked(progress, matches)), short, EndedTimeout, CauseTimeout, "timeout", nil},
		{"silence before the head", saysAndWaits(""), short, EndedTimeout, CauseTimeout, "timeout", nil},
		{"silence in the head", saysAndWaits(head), short, EndedTimeout, CauseTimeout, "timeout", nil},
		{"a connection closed without an answer", says(""), Options{}, EndedTransport, CauseNoAnswer, "transport", nil},
		{"a connection reset without an answer", saysAndResets(""), Options{}, EndedTransport, CauseReset, "transport", nil},
		{"a head cut in the middle", says("HTTP/1.1 200 OK\r\nX: y\r\n"), Options{}, EndedTransport, CauseCut, "transport", nil},
		{"a head cut in a line", says("HTTP/1.1 200 OK\r\nContent-"), Options{}, EndedTransport, CauseBadAnswer, "transport", nil},
		{"no HTTP", says("SSH-2.0-OpenSSH\r\n\r\n"), Options{}, EndedTransport, CauseBadAnswer, "transport", nil},
		{"endless headers", endless(head, "X-More: "+strings.Repeat("x", 8000)+"\r\n"), Options{}, EndedTransport, CauseBadAnswer, "transport", nil},
		{"an endless header line", endless(head+"X-More: ", strings.Repeat("x", 8000)), Options{}, EndedTransport, CauseBadAnswer, "transport", nil},
		{"an endless line", endless(chunked(progress), "400\r\n"+strings.Repeat("x", 1024)+"\r\n"), Options{Limits: stream.Limits{MaxLineBytes: 1 << 20, MaxEvents: 10}}, EndedLimit, CauseLine, "limit", nil},
		{"endless events", endless(chunked(progress), chunkOf(matches)), Options{Limits: stream.Limits{MaxLineBytes: 1000, MaxEvents: 1000}}, EndedLimit, CauseEvents, "limit", nil},
		{"endless comments", endless(chunked(progress), chunkOf(": x\n")), short, EndedTimeout, CauseTimeout, "violation", nil},
		{"an encoding that is not known", says(strings.Replace(sized(5, "xxxxx"), "Content-L", "Content-Encoding: br\r\nContent-L", 1)), Options{}, EndedTransport, CauseEncoding, "transport", nil},
		{"gzip that is none", says(strings.Replace(sized(20, strings.Repeat("x", 20)), "Content-L", "Content-Encoding: gzip\r\nContent-L", 1)), Options{}, EndedTransport, CauseEncoding, "transport", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := read(t, rawServer(t, test.answer), test.options)
			if got.Ended != test.ended || got.Cause != test.cause || got.Outcome() != test.outcome {
				t.Errorf("ended %q by %q, outcome %q; violations %v", got.Ended, got.Cause, got.Outcome(), got.ViolationCounts())
			}
			if test.violations != nil && !maps.Equal(test.violations, got.ViolationCounts()) || (test.outcome != "violation") && got.Violated() {
				t.Errorf("violations %v", got.ViolationCounts())
			}
			holdsTogether(t, &got)
		})
	}
}

func TestEndlessInterimAnswersEnd(t *testing.T) {
	got := read(t, rawServer(t, endless("", "HTTP/1.1 103 Early Hints\r\n\r\n")), Options{Timeout: 300 * time.Millisecond})
	if got.Status != 0 || (got.Ended != EndedTimeout && got.Ended != EndedTransport) {
		t.Errorf("%+v", got)
	}
}

func chunkOf(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

// holdsTogether checks what is true of every result.
func holdsTogether(t *testing.T, r *Result) {
	t.Helper()
	last := r.SendAt
	for _, at := range []int64{r.HeadersAt, r.FirstEventAt, r.FirstMatchAt, r.EndAt} {
		if at != stream.Never && at < last {
			t.Errorf("instants do not rise: %+v", r)
		}
		last = max(last, at)
	}
	if (r.Status == 0) != (r.HeadersAt == stream.Never) || r.Ended == "" {
		t.Errorf("%+v", r)
	}
}

func TestOtherStatuses(t *testing.T) {
	tests := []struct {
		status  int
		header  string
		outcome string
		after   time.Duration
	}{
		{401, "", "refused", NoRetryAfter},
		{403, "", "refused", NoRetryAfter},
		{429, "Retry-After: 7\r\n", "distress", 7 * time.Second},
		{503, "Retry-After: soon\r\n", "distress", NoRetryAfter},
		{503, "Retry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\n", "distress", 0},
		{503, "Retry-After: 99999999\r\n", "distress", 24 * time.Hour},
		{503, "Retry-After: -5\r\n", "distress", NoRetryAfter},
		{302, "Location: http://127.0.0.1:1/\r\n", "bad-status", NoRetryAfter},
		{404, "", "bad-status", NoRetryAfter},
		{500, "", "bad-status", NoRetryAfter},
		{204, "", "bad-status", NoRetryAfter},
		{206, "", "bad-status", NoRetryAfter},
		{101, "Upgrade: x\r\nConnection: upgrade\r\n", "bad-status", NoRetryAfter},
		{999, "", "bad-status", NoRetryAfter},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.status, test.header), func(t *testing.T) {
			t.Parallel()
			answer := fmt.Sprintf("HTTP/1.1 %d Whatever\r\n%s\r\n", test.status, test.header)
			got := read(t, rawServer(t, saysAndWaits(answer)), Options{})
			if got.Ended != EndedStatus || got.Status != test.status || got.Outcome() != test.outcome || got.RetryAfter != test.after {
				t.Errorf("%+v, outcome %s", got, got.Outcome())
			}
			holdsTogether(t, &got)
		})
	}
}

func TestAPageInsteadOfAStream(t *testing.T) {
	const handleWebPage = "<!doctype html>\n<title>Sign in</title>\n<script>\nlet a = {\ndata: 1\n\n}</script>\n"
	tests := map[string]struct{ body, outcome string }{
		"a page":                       {handleWebPage, "bad-status"},
		"a page behind spaces":         {"\uFEFF\r\n " + handleWebPage, "bad-status"},
		"markup before events":         {"<br>\n" + progress + matches + done, "violation"},
		"an event about markup":        {"data: <html>\n\n", "violation"},
		"words":                        {"please sign in", "violation"},
		"a page that an event follows": {handleWebPage + progress, "violation"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(answers(test.body)))
			t.Cleanup(server.Close)
			got := read(t, server.URL, Options{})
			if got.Outcome() != test.outcome || got.Status != 200 || got.Violated() != (test.outcome == "violation") {
				t.Errorf("%+v, outcome %s", got, got.Outcome())
			}
		})
	}
}

func TestAMachineWithoutSockets(t *testing.T) {
	for _, cause := range generatorErrors {
		without := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, Err: os.NewSyscallError("socket", cause)}
		}}
		target, _ := url.Parse("http://127.0.0.1:1/")
		if got := readWith(t.Context(), without, target, Options{}); got.Outcome() != "limit" || got.Cause != CauseGenerator {
			t.Errorf("%v: %+v", cause, got)
		}
	}
}

func TestWhereNobodyListens(t *testing.T) {
	for address, want := range map[string]Cause{"http://127.0.0.1:1/": CauseRefused, "http://no-such-host.invalid/": CauseDNS} {
		if got := read(t, address, Options{}); got.Ended != EndedTransport || got.Cause != want || got.Outcome() != "transport" {
			t.Errorf("%s: %+v", address, got)
		}
	}
}

func TestAConnectionThatIsNotAllowed(t *testing.T) {
	refusing := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("this address is on a list")
	}}
	target, _ := url.Parse("http://127.0.0.1:1/")
	if got := readWith(t.Context(), refusing, target, Options{}); got.Ended != EndedTransport || got.Cause != CauseConnect {
		t.Errorf("%+v", got)
	}
}

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(answers(progress + matches + done)))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	if got := read(t, server.URL, Options{}); got.Cause != CauseTLS {
		t.Errorf("an unknown authority: %+v", got)
	}
	if got := read(t, strings.Replace(server.URL, "https", "http", 1), Options{}); got.Ended != EndedStatus {
		t.Errorf("plain text to a TLS port: %+v", got)
	}
	target, _ := url.Parse(server.URL)
	if got := readWith(t.Context(), server.Client().Transport, target, Options{}); got.Outcome() != "ok" || got.Matches != 2 {
		t.Errorf("HTTP/2: %+v", got)
	}
}

func TestRefusedWithoutClientCertificate(t *testing.T) {
	for name, version := range map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(answers(done)))
		server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: version}
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.StartTLS()
		t.Cleanup(server.Close)
		target, _ := url.Parse(server.URL)
		got := readWith(t.Context(), server.Client().Transport, target, Options{})
		if got.Ended != EndedTransport || got.Cause != CauseTLS {
			t.Errorf("TLS %s: %+v", name, got)
		}
	}
}

func TestHTTP2StreamThatBreaks(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, progress)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	target, _ := url.Parse(server.URL)
	got := readWith(t.Context(), server.Client().Transport, target, Options{})
	if got.Ended != EndedTransport || got.Cause != CauseReset || got.Events != 1 {
		t.Errorf("%+v", got)
	}
}

func answers(text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, text)
	}
}

func TestContentTypes(t *testing.T) {
	for kind, other := range map[string]bool{
		"text/event-stream": false, "Text/Event-Stream; charset=utf-8": false, "text/event-stream;": false, "application/json": true, "": true,
		"text/event-streams": true,
	} {
		answer := strings.Replace(sized(len(done), done), "text/event-stream", kind, 1)
		if got := read(t, rawServer(t, says(answer)), Options{}); got.OtherContentType != other || got.Outcome() != "ok" {
			t.Errorf("%q: %+v", kind, got)
		}
	}
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/busy" {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, strings.Repeat("busy", 1000))
			return
		}
		answers(progress+matches+done)(w, r)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	shared := transport(t)
	for n := range 20 {
		target, _ := url.Parse(server.URL + []string{"/", "/busy"}[n%2])
		_ = readWith(t.Context(), shared, target, Options{Gzip: n%3 == 0})
	}
	if got := connections.Load(); got != 1 {
		t.Errorf("%d connections for 20 streams", got)
	}
}

func TestTheRunEndsAStream(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	address := rawServer(t, func(connection *net.TCPConn) {
		_, _ = io.WriteString(connection, chunked(progress))
		cancel()
		untilClosed(connection)
	})
	target, _ := url.Parse(address)
	if got := readWith(ctx, transport(t), target, Options{}); got.Ended != EndedCanceled || got.Outcome() != "canceled" {
		t.Errorf("%+v", got)
	}
}

func TestTheFirstMatchIsDatedWhenItArrives(t *testing.T) {
	const wait = 150 * time.Millisecond
	address := rawServer(t, func(connection *net.TCPConn) {
		_, _ = io.WriteString(connection, chunked(progress, matches[:40]))
		time.Sleep(wait)
		_, _ = io.WriteString(connection, chunkOf(matches[40:]))
		time.Sleep(wait)
		_, _ = io.WriteString(connection, chunkOf(done)+"0\r\n\r\n")
	})
	got := read(t, address, Options{})
	first, match, end := got.FirstEventAt, got.FirstMatchAt, got.EndAt
	if match-first < wait.Microseconds()*9/10 || end-match < wait.Microseconds()*9/10 || end != got.DoneAt || got.Matches != 2 {
		t.Errorf("%+v", got)
	}
}

func TestNothingIsLeftRunning(t *testing.T) {
	handleReadError := rawServer(t, saysAndResets(chunked(progress)))
	silent := rawServer(t, saysAndWaits(chunked(progress)))
	open := rawServer(t, saysAndWaits(chunked(done)))
	shared := transport(t)
	before := 0
	for round := range 6 {
		for _, address := range []string{handleReadError, silent, open, "http://127.0.0.1:1"} {
			target, _ := url.Parse(address)
			_ = readWith(t.Context(), shared, target, Options{Timeout: 30 * time.Millisecond})
		}
		shared.CloseIdleConnections()
		if round == 0 {
			before = runtime.NumGoroutine()
		}
	}
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before+2 {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
	}
}
