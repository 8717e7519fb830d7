package exchanges

import (
	"bytes"
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
	o := Options{Folder: dir, MaxBytes: 1 << 40, Now: func() int64 { return 0 }}
	for g := range o.Redactors {
		o.Redactors[g], _ = redact.New(key, []string{"sgp_" + strings.Repeat("0a1B2c3D", 5), "sgp_" + strings.Repeat("9z8Y7x6W", 5)}, nil)
	}
	r := New(o)
	r.once.Do(func() {})
	return r
}

// match is a result as a search gives it.
func match(index int, line string) string {
	return fmt.Sprintf(`{"type":"content","path":"cmd/server/handler_%d.go","repositoryID":41,"repository":"code.example/tools/server","branches":[""],"commit":"1f0c3b7a9d5e4f60718293a4b5c6d7e8f9012345","hunks":null,"lineMatches":[{"line":%q,"lineNumber":%d,"offsetAndLengths":[[4,3]]}]}`, index, line, index)
}

const sourceLine = "\tif err != nil && retry < limit {"

func smallBody() []byte {
	var b bytes.Buffer
	for i := range 100 {
		fmt.Fprintf(&b, "event: matches\ndata: [%s]\n\n", match(i, sourceLine))
	}
	b.WriteString("event: done\ndata: {}\n\n")
	return b.Bytes()
}

// largeBody has two events of a megabyte each.
func largeBody() []byte {
	var b bytes.Buffer
	for range 2 {
		b.WriteString("event: matches\ndata: [")
		for i := range 3600 {
			b.WriteString(match(i, sourceLine))
			b.WriteByte(',')
		}
		b.WriteString("{}]\n\n")
	}
	b.WriteString("event: done\ndata: {}\n\n")
	return b.Bytes()
}

// numberAll writes another number into each match.
func numberAll(body []byte, number *int) {
	const mark = `"hunks":`
	for at := 0; ; {
		place := bytes.Index(body[at:], []byte(mark))
		if place < 0 {
			return
		}
		at += place + len(mark)
		*number++
		copy(body[at:], fmt.Sprintf("%4x", *number%(1<<16)))
	}
}

func BenchmarkStream(b *testing.B) {
	address, _ := url.Parse("http://127.0.0.1:1234/.api/search/stream?q=hello")
	header := http.Header{"Accept": {"text/event-stream"}, "Authorization": {"token abc"}}
	request := &http.Request{Method: "GET", URL: address, Host: address.Host, Header: header}
	response := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}, "Date": {"x"}}}
	for _, c := range []struct {
		name  string
		body  []byte
		isNew bool
	}{
		{"small events that come again", smallBody(), false},
		{"small events that are new", smallBody(), true},
		{"large events that come again", largeBody(), false},
		{"large events that are new", largeBody(), true},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := benchRecorder(b, b.TempDir())
			b.SetBytes(int64(len(c.body)))
			b.ReportAllocs()
			number := 0
			for b.Loop() {
				if c.isNew {
					b.StopTimer()
					numberAll(c.body, &number)
					b.StartTimer()
				}
				e := r.Begin(Meta{Interface: "stream", Phase: "measure", Side: "base", Query: "q"}, request, "")
				e.Head(response)
				for rest := c.body; len(rest) > 0; {
					n := copy(e.NextBuffer(), rest)
					e.Advance(n, 5)
					rest = rest[n:]
					takeAll(r)
				}
				e.sendBuffer()
				takeAll(r)
				r.handle(message{exchange: e, isEnd: true})
			}
		})
	}
}

func takeAll(r *Recorder) {
	for len(r.queue) > 0 {
		r.handle(<-r.queue)
	}
}
