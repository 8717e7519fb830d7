package stream

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

const fixtures = "../../../packages/stream-grammar/fixtures"

// expectation is what the checker in TypeScript says of a stream, as its own test holds it.
type expectation struct {
	Bytes        int64          `json:"bytes"`
	Events       int            `json:"events"`
	EventNames   map[string]int `json:"eventNames"`
	Matches      int64          `json:"matches"`
	FirstMatch   int            `json:"firstMatchEvent"`
	Violations   map[string]int `json:"violations"`
	Observations map[string]int `json:"observations"`
}

func (e *expectation) differs(r *Report) bool {
	return e.Bytes != r.Bytes || e.Events != r.Events || e.Matches != r.Matches || e.FirstMatch != r.FirstMatch ||
		!maps.Equal(e.EventNames, r.EventCounts()) || !maps.Equal(e.Violations, r.ViolationCounts()) ||
		!maps.Equal(e.Observations, r.ObservationCounts())
}

func expectations(t testing.TB) map[string]expectation {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(fixtures, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]expectation
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func fixtureBytes(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(fixtures, "streams", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// check feeds chunks of the given sizes, the last one as often as it takes; chunk n carries the stamp n.
func check(b []byte, limits Limits, stateIf func() int) *Report {
	var c Checker
	c.Reset(limits)
	scratch := make([]byte, 0, len(b))
	for n := int64(0); len(b) > 0; n++ {
		size := min(stateIf(), len(b))
		// A checker must not look at bytes again after the call.
		scratch = append(scratch[:0], b[:size]...)
		c.Feed(scratch, n)
		for i := range scratch {
			scratch[i] = 'X'
		}
		b = b[size:]
	}
	c.End()
	return &c.Report
}

func always(size int) func() int { return func() int { return size } }

func TestFixturesAreJudgedAsInTypeScript(t *testing.T) {
	all := expectations(t)
	files, err := filepath.Glob(filepath.Join(fixtures, "streams", "*.sse"))
	if err != nil || len(files) != len(all) || len(files) < 100 {
		t.Fatalf("%d streams and %d expectations (%v)", len(files), len(all), err)
	}
	for name, want := range all {
		t.Run(name, func(t *testing.T) {
			b := fixtureBytes(t, name)
			random := rand.New(rand.NewPCG(1, uint64(len(b))))
			cuts := map[string]func() int{
				"whole":      always(max(1, len(b))),
				"bytewise":   always(1),
				"by seven":   always(7),
				"small cuts": func() int { return 1 + random.IntN(9) },
				"large cuts": func() int { return 1 + random.IntN(400) },
			}
			for how, stateIf := range cuts {
				if got := check(b, DefaultLimits, stateIf); want.differs(got) {
					t.Errorf("%s: events %d %v, matches %d from %d, violations %v, observations %v; want %+v", how, got.Events,
						got.EventCounts(), got.Matches, got.FirstMatch, got.ViolationCounts(), got.ObservationCounts(), want)
				}
			}
		})
	}
}

func TestMixedStreamsAreJudgedAsInTypeScript(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(fixtures, "mixtures.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	if len(lines) < 100 {
		t.Fatalf("only %d mixed streams", len(lines))
	}
	random := rand.New(rand.NewPCG(5, 6))
	for n, line := range lines {
		var want struct {
			expectation
			Base64       string `json:"base64"`
			MaxLineBytes int    `json:"maxLineBytes"`
			IsLimited    bool   `json:"isLimited"`
		}
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		b, _ := base64.StdEncoding.DecodeString(want.Base64)
		limits := Limits{MaxLineBytes: want.MaxLineBytes, MaxEvents: 1000}
		for _, stateIf := range []func() int{always(len(b) + 1), always(1), func() int { return 1 + random.IntN(150) }} {
			got := check(b, limits, stateIf)
			want.Bytes = got.Bytes
			if want.differs(got) || want.IsLimited != (got.Limit == LineTooLong) {
				t.Errorf("mixture %d, %q: %+v, not %+v", n, b, got, want.expectation)
			}
		}
	}
}
