package exchanges

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"assay/k6/redact"
)

func benchRecorder(b testing.TB, dir string) *Recorder {
	b.Helper()
	key := make([]byte, 32)
	o := Options{Folder: dir, MaxBytes: 1 << 30, Now: func() int64 { return 0 }}
	for g := range o.Redactors {
		o.Redactors[g], _ = redact.New(key, []string{"sgp_" + strings.Repeat("0a1B2c3D", 5), "sgp_" + strings.Repeat("9z8Y7x6W", 5)}, nil)
	}
	r := New(o)
	r.once.Do(func() {})
	return r
}

func BenchmarkStream(b *testing.B) {
	r := benchRecorder(b, b.TempDir())
	var body []byte
	for i := range 100 {
		body = append(body, fmt.Sprintf("event: matches\ndata: [{\"type\":\"content\",\"path\":\"a/b/c%d.go\",\"repository\":\"github.com/x/y\",\"lineMatches\":[{\"line\":\"func main() { return %s }\",\"lineNumber\":3}]}]\n\n", i, strings.Repeat("searchContext ", 8))...)
	}
	body = append(body, "event: done\ndata: {}\n\n"...)
	u, _ := url.Parse("http://127.0.0.1:1234/.api/search/stream?q=hello")
	req := &http.Request{Method: "GET", URL: u, Host: u.Host, Header: http.Header{"Accept": {"text/event-stream"}, "Authorization": {"token abc"}}}
	res := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}, "Date": {"x"}}}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		e := r.Begin(Meta{Interface: "stream", Phase: "measure", Arm: "a", Query: "q"}, req, "")
		e.Head(res)
		rest := body
		for len(rest) > 0 {
			n := copy(e.Room(), rest)
			e.Took(n, 5)
			rest = rest[n:]
		}
		e.hand()
		for len(r.queue) > 0 {
			r.take(<-r.queue)
		}
		r.take(message{exchange: e, isEnd: true})
	}
}
