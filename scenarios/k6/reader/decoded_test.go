package reader

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"assay/k6/stream"
)

func zipped(t testing.TB, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	_, _ = io.WriteString(writer, text)
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func sizedGzip(body []byte) string {
	return strings.Replace(sized(len(body), string(body)), "Content-L", "Content-Encoding: gzip\r\nContent-L", 1)
}

func TestGzipIsAskedForOnlyByOption(t *testing.T) {
	asked := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Header.Get("Accept-Encoding")
		answers(done)(w, r)
	}))
	t.Cleanup(server.Close)
	for gzip, want := range map[bool]string{true: "gzip", false: ""} {
		_ = read(t, server.URL, Options{Gzip: gzip})
		if got := <-asked; got != want {
			t.Errorf("gzip %v: asked for %q", gzip, got)
		}
	}
}

func TestGzip(t *testing.T) {
	whole := zipped(t, progress+matches+done)
	tests := []struct {
		name    string
		body    []byte
		ended   Ended
		cause   Cause
		outcome string
	}{
		{"a whole stream", whole, EndedDone, CauseNone, "ok"},
		{"a stream without done", zipped(t, matches), EndedEOF, CauseNone, "violation"},
		{"a cut stream", whole[:len(whole)/2], EndedTransport, CauseCut, "transport"},
		{"a cut head", whole[:5], EndedTransport, CauseCut, "transport"},
		{"a wrong sum after done", append(bytes.Clone(whole[:len(whole)-5]), 1, 2, 3, 4, 5), EndedDone, CauseAfterDone, "ok"},
		{"damage in the middle", append(bytes.Clone(whole[:10]), bytes.Repeat([]byte{0xff}, 40)...), EndedTransport, CauseEncoding, "transport"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := read(t, rawServer(t, says(sizedGzip(test.body))), Options{Gzip: true})
			if got.Ended != test.ended || got.Cause != test.cause || got.Outcome() != test.outcome {
				t.Errorf("%+v, outcome %s", got, got.Outcome())
			}
		})
	}
}

func TestACompressedEventIsDatedWhenItArrives(t *testing.T) {
	const wait = 150 * time.Millisecond
	address := rawServer(t, func(connection *net.TCPConn) {
		_, _ = io.WriteString(connection, head+"Content-Encoding: gzip\r\n\r\n")
		writer := gzip.NewWriter(connection)
		for _, text := range []string{progress, matches, done} {
			_, _ = io.WriteString(writer, text)
			_ = writer.Flush()
			time.Sleep(wait)
		}
		untilClosed(connection)
	})
	got := read(t, address, Options{Gzip: true})
	if got.FirstMatchAt-got.FirstEventAt < wait.Microseconds()*9/10 || got.DoneAt-got.FirstMatchAt < wait.Microseconds()*9/10 || got.Outcome() != "ok" {
		t.Errorf("%+v", got)
	}
}

func TestWhatComesOutOfACompressedBodyIsBounded(t *testing.T) {
	body := &gzipBody{raw: bytes.NewReader(zipped(t, strings.Repeat(": x\n", 10_000))), remaining: 30_000}
	n, err := io.Copy(io.Discard, body)
	if err != errBodyTooLarge || n > 64_000 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestLargeEventsNeedLittleMemory(t *testing.T) {
	event := "event: matches\ndata: [\"" + strings.Repeat("x", 10<<20) + "\"]\n\n"
	server := httptest.NewServer(http.HandlerFunc(answers(event + done)))
	t.Cleanup(server.Close)
	if got := read(t, server.URL, Options{}); got.Outcome() != "ok" || got.Bytes != int64(len(event)+len(done)) {
		t.Fatalf("%+v", got)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_ = read(t, server.URL, Options{})
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 2<<20 {
		t.Errorf("%d bytes for an event of 10 MB", spent)
	}
}

func TestAnEventOverTheLimit(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(answers("event: matches\ndata: [\"" + strings.Repeat("x", 10<<20) + "\"]\n\n" + done)))
	t.Cleanup(server.Close)
	got := read(t, server.URL, Options{Limits: stream.Limits{MaxLineBytes: 1 << 20, MaxEvents: 10}})
	if got.Outcome() != "limit" || got.Violated() || got.Bytes > 2<<20 {
		t.Errorf("%+v", got)
	}
}
