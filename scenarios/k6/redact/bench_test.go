package redact

import (
	"fmt"
	"strings"
	"testing"
)

// searchResults returns about 64 KiB of search results without secrets.
func searchResults(line string) string {
	var b strings.Builder
	for i := 0; b.Len() < 64<<10; i++ {
		fmt.Fprintf(&b, `{"type":"content","path":"cmd/server/handler_%d.go","repository":"code.example/tools/server","commit":"%040x","lineMatches":[{"line":%s,"lineNumber":%d,"offsetAndLengths":[[4,3]]}]},`,
			i, uint64(i+1)*0x9e3779b97f4a7c15, line, i)
	}
	return b.String()
}

func BenchmarkTextWithoutSecrets(b *testing.B) {
	r, err := New(make([]byte, 32), []string{"sgp_" + strings.Repeat("0a1B2c3D", 5), "sgp_" + strings.Repeat("9z8Y7x6W", 5)}, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, line string }{
		{"code", `"\tif err != nil && retry < limit { // see https://code.example/issues/1"`},
		{"code with escapes", `"\tif err != nil \u0026\u0026 retry \u003c limit { return \u0026Retry{after: \"soon\"} }"`},
		{"code with entities", `"<p class=\"name\">Ben &amp; Jerry&#39;s 100%25 fresh @ice-cream</p>\n"`},
	} {
		text := searchResults(c.line)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r.Text(text)
			}
		})
	}
}
