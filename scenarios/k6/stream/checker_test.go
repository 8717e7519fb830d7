package stream

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

const done = "event: done\ndata: {}\n\n"

func judged(t *testing.T, text string, limits Limits) *Report {
	t.Helper()
	whole := check([]byte(text), limits, always(max(1, len(text))))
	for size := 1; size < 300; size = size*2 + 1 {
		part := check([]byte(text), limits, always(size))
		part.FirstEventAt, part.FirstMatchAt, part.DoneAt = whole.FirstEventAt, whole.FirstMatchAt, whole.DoneAt
		if whole.Limit == NoLimit && *part != *whole || part.Limit != whole.Limit || part.Violations != whole.Violations {
			t.Fatalf("%q in pieces of %d: %+v, not %+v", text[:min(100, len(text))], size, part, whole)
		}
	}
	return whole
}

func TestLimits(t *testing.T) {
	line := func(n int) string { return "event: x\ndata: \"" + strings.Repeat("y", n-8) + "\"\n\n" + done }
	tests := []struct {
		name   string
		stream string
		limits Limits
		want   Limit
		events int
	}{
		{"a line as long as the limit is read", line(400), Limits{400, 10}, NoLimit, 2},
		{"a longer line ends the check", line(401), Limits{400, 10}, LineTooLong, 0},
		{"a short line over a small limit ends the check", done, Limits{8, 10}, LineTooLong, 0},
		{"an endless line ends the check", strings.Repeat("x", 5000), Limits{400, 10}, LineTooLong, 0},
		{"as many events as the limit are read", strings.Repeat("event: x\ndata: 1\n\n", 9) + done, Limits{400, 10}, NoLimit, 10},
		{"one more event ends the check", strings.Repeat("event: x\ndata: 1\n\n", 20), Limits{400, 10}, TooManyEvents, 11},
		{"malformed events count as well", strings.Repeat("event: x\n\n", 20), Limits{400, 10}, TooManyEvents, 0},
		{"events after done do not count", done + strings.Repeat("event: x\ndata: 1\n\n", 20), Limits{400, 10}, NoLimit, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := judged(t, test.stream, test.limits)
			if got.Limit != test.want || got.Events != test.events {
				t.Errorf("limit %d after %d events", got.Limit, got.Events)
			}
			if got.Limit != NoLimit && got.Violations[NoDone] != 0 {
				t.Error("a limit became a violation")
			}
		})
	}
}

func TestLongLinesAreJudgedLikeShortOnes(t *testing.T) {
	pad := strings.Repeat("p", 500)
	tests := []struct {
		name   string
		stream string
		codes  map[string]int
	}{
		{"long data", "event: x\ndata: \"" + pad + "\"\n\n" + done, nil},
		{"long data that is cut off in a string", "event: x\ndata: \"" + pad + "\n\n" + done, map[string]int{"data-not-json": 1}},
		{"long second data", "event: x\ndata: 1\ndata: \"" + pad + "\"\n\n" + done, map[string]int{"repeated-data": 1}},
		{"long data with CRLF", "event: x\ndata: \"" + pad + "\"\r\n\n" + done, map[string]int{"carriage-return": 1}},
		{"long data with a CR inside a string", "event: x\ndata: \"" + pad + "\r\"\n\n" + done, map[string]int{"carriage-return": 1, "data-not-json": 1}},
		{"long data that is not UTF-8", "event: x\ndata: \"" + pad + "\xe2\x82\"\n\n" + done, map[string]int{"invalid-utf8": 1}},
		{"long data before its event", "data: \"" + pad + "\"\nevent: x\n\n" + done, nil},
		{"long data after a byte order mark", "\uFEFFdata: \"" + pad + "\"\nevent: x\n\n" + done, map[string]int{"byte-order-mark": 1}},
		{"long data after an event without a blank line", "data: 1\nevent: x\ndata: \"" + pad + "\"\nevent: x\n\n" + done, map[string]int{"missing-blank-line": 1}},
		{"long data of a done", "event: done\ndata: {\"a\":\"" + pad + "\"}\n\n", map[string]int{"done-not-empty": 1}},
		{"a done padded with spaces", "event: done\ndata: {" + strings.Repeat(" ", 500) + "}\n\n", nil},
		{"long comment", ":" + pad + "\n\n" + done, map[string]int{"comment": 1}},
		{"long line that is not a field", pad + "\n\n" + done, map[string]int{"not-a-field": 1}},
		{"long line with a late colon", pad + ":" + pad + "\n\n" + done, map[string]int{"third-field": 1}},
		{"long data cut off by the end", "event: x\ndata: \"" + pad, map[string]int{"unterminated-event": 1, "no-done": 1}},
		{"long line after done", done + pad, map[string]int{"bytes-after-done": 1}},
		{"long name", "event: " + pad + "\ndata: 1\n\n" + done, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := judged(t, test.stream, DefaultLimits).ViolationCounts(); !maps.Equal(got, test.codes) {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestAnEventIsDatedByTheBytesThatCompleteIt(t *testing.T) {
	var c Checker
	c.Reset(DefaultLimits)
	chunks := []string{
		"event: matches\ndata: []\n", "\nevent: matches\ndata: [{\"a\":", "1}]\n", "\n", "event: matches\ndata: [1]\n\nevent: done\nda",
		"ta: {}\n", "\n",
	}
	for at, chunk := range chunks {
		c.Feed([]byte(chunk), int64(at))
	}
	if c.FirstEventAt != 1 || c.FirstMatchAt != 3 || c.DoneAt != 6 || c.FirstMatch != 1 || c.Matches != 2 || !c.Done() {
		t.Errorf("%+v", c.Report)
	}
}

func TestWhatNeverCameHasNoInstant(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":           "",
		"a match cut short": "event: matches\ndata: [1",
		"a done cut short":  "event: done\ndata: {",
	} {
		got := check([]byte(text), DefaultLimits, always(5))
		if got.FirstEventAt != Never || got.FirstMatchAt != Never || got.DoneAt != Never {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestTheEndOfAStreamSeparatesAsABlankLine(t *testing.T) {
	for _, tail := range []string{"", "\n", "\n\n"} {
		got := check([]byte("event: matches\ndata: [1]\n\nevent: done\ndata: {}"+tail), DefaultLimits, always(5))
		if got.DoneAt == Never || got.ViolationCounts() != nil {
			t.Errorf("%q: %+v", tail, got)
		}
	}
}

func TestAnAbandonedStreamWithBytesAfterDoneIsAViolation(t *testing.T) {
	for text, want := range map[string]int{done: 0, done + "x": 1, done + "\n": 1, done + "event: x\n": 1, "event: x": 0} {
		var c Checker
		c.Reset(DefaultLimits)
		c.Feed([]byte(text), 0)
		c.Abandon()
		if c.Violations[BytesAfterDone] != want || c.Violations[NoDone] != 0 {
			t.Errorf("%q: %v", text, c.ViolationCounts())
		}
	}
}

func TestACheckerIsAsNewAfterReset(t *testing.T) {
	var c Checker
	for name := range expectations(t) {
		b := fixtureBytes(t, name)
		c.Reset(DefaultLimits)
		c.Feed(b, 0)
		c.End()
		if fresh := check(b, DefaultLimits, always(len(b)+1)); *fresh != c.Report {
			t.Errorf("%s: %+v, not %+v", name, c.Report, fresh)
		}
	}
}

func TestNamesThatLookAlikeAreOne(t *testing.T) {
	for text, want := range map[string]string{
		"a\xe2\x82b": "a\uFFFDb", "a\xffb": "a\uFFFDb", "\xe2\x82": "\uFFFD", "\xed\xa0\x80": "\uFFFD\uFFFD\uFFFD",
		"\xf0\x9f\x98": "\uFFFD", "\xc0\xaf": "\uFFFD\uFFFD", "\xf4\x90\x80\x80": "\uFFFD\uFFFD\uFFFD\uFFFD", "é\xf0\x9fé": "é\uFFFDé",
	} {
		if got := decodeLossy([]byte(text)); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

func FuzzCuts(f *testing.F) {
	for _, text := range []string{done, "data: [1]\r\nevent: matches\n\n" + done, "\uFEFF: x\n\nevent: x\ndata: \xff\n"} {
		f.Add([]byte(text), uint64(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		whole := check(b, DefaultLimits, always(len(b)+1))
		part := check(b, DefaultLimits, func() int { return 1 + random.IntN(len(b)+1) })
		part.FirstEventAt, part.FirstMatchAt, part.DoneAt = whole.FirstEventAt, whole.FirstMatchAt, whole.DoneAt
		if *whole != *part {
			t.Errorf("%q: %+v, not %+v", b, part, whole)
		}
	})
}

func benchmark(b *testing.B, events int, data func(i int) string) {
	var text bytes.Buffer
	for i := range events {
		fmt.Fprintf(&text, "event: matches\ndata: %s\n\n", data(i))
	}
	text.WriteString(done)
	var c Checker
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		c.Reset(DefaultLimits)
		for rest := text.Bytes(); len(rest) > 0; rest = rest[min(len(rest), 32<<10):] {
			c.Feed(rest[:min(len(rest), 32<<10)], 1)
		}
		c.End()
		if c.Matches == 0 || c.ViolationCounts() != nil {
			b.Fatalf("%+v", c.Report)
		}
	}
}

func match(i int) string {
	return fmt.Sprintf(`{"type":"content","path":"internal/search/file%d.go","repositoryID":%d,"repository":"github.com/example/project",`+
		`"commit":"0123456789abcdef0123456789abcdef01234567","language":"Go","chunkMatches":[{"content":"func handler(w http.ResponseWriter, r *http.Request) {\n\treturn nil\n}",`+
		`"contentStart":{"offset":%d,"line":12,"column":0},"ranges":[{"start":{"offset":%d,"line":12,"column":5},"end":{"offset":%d,"line":12,"column":12}}]}]}`, i, i*7, i*100, i*100+5, i*100+12)
}

func BenchmarkSmallEvents(b *testing.B) {
	benchmark(b, 100, func(i int) string { return "[" + match(i) + "]" })
}

func BenchmarkLargeEvents(b *testing.B) {
	benchmark(b, 2, func(int) string {
		var list strings.Builder
		list.WriteString("[")
		for i := 0; list.Len() < 1<<20; i++ {
			list.WriteString(match(i) + ",")
		}
		return list.String() + "1]"
	})
}

func BenchmarkLongStrings(b *testing.B) {
	benchmark(b, 2, func(int) string { return `["` + strings.Repeat("0123456789 abcdef ", 60_000) + `"]` })
}

func BenchmarkNonASCII(b *testing.B) {
	benchmark(b, 100, func(int) string { return `["` + strings.Repeat("größe 検索 ", 40) + `"]` })
}
