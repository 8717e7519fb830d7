package samples

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/k6/disk"
)

func stream() *Sample {
	s := New("stream")
	s.Flow, s.Phase, s.Side, s.Query, s.Outcome = "search", "measure", "head", "q", "ok"
	s.Plan, s.Send, s.End = 1_000_000, 1_000_250, 2_500_001
	return &s
}

func TestLines(t *testing.T) {
	full := stream()
	full.Block, full.Pair, full.Status = 0, 3, 200
	full.Headers, full.FirstEvent, full.FirstMatch = 1_000_500, 1_000_501, 2_000_000
	full.Events, full.Matches, full.Bytes = 4, 12, 999
	full.Codes = map[string]int{"no-done": 1, "comment": 20}
	call := *stream()
	call.Kind, call.Operation, call.Status, call.Query = "call", "poll", 503, "a \"b\"\n\xff"
	conversation := *stream()
	conversation.Kind, conversation.State, conversation.LastOpen, conversation.Polls, conversation.Outcome = "conversation", "failed", 7, 3, "unfinished"
	tests := []struct {
		name   string
		sample *Sample
		want   string
	}{
		{"a stream with everything", full, `{"kind":"stream","flow":"search","phase":"measure","side":"head","block":0,"pair":3,"query":"q","planMs":1000,"sendMs":1000.25,"headersMs":1000.5,"firstEventMs":1000.501,"firstMatchMs":2000,"events":4,"matches":12,"bytes":999,"endMs":2500.001,"outcome":"ok","status":200,"codes":{"comment":20,"no-done":1}}`},
		{"a stream of which nothing came", stream(), `{"kind":"stream","flow":"search","phase":"measure","side":"head","query":"q","planMs":1000,"sendMs":1000.25,"events":0,"matches":0,"bytes":0,"endMs":2500.001,"outcome":"ok"}`},
		{"a call", &call, `{"kind":"call","flow":"search","phase":"measure","side":"head","query":"a \"b\"\n` + "\uFFFD" + `","planMs":1000,"sendMs":1000.25,"operation":"poll","endMs":2500.001,"outcome":"ok","status":503}`},
		{"a conversation", &conversation, `{"kind":"conversation","flow":"search","phase":"measure","side":"head","query":"q","planMs":1000,"sendMs":1000.25,"state":"failed","lastOpenMs":0.007,"polls":3,"endMs":2500.001,"outcome":"unfinished"}`},
	}
	for _, test := range tests {
		if got := string(test.sample.append(nil)); got != test.want+"\n" {
			t.Errorf("%s:\n%s", test.name, got)
		}
	}
}

func TestAFileOfManyWritersHoldsWholeLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "samples.ndjson")
	w := NewWriter(path, Header{EpochMs: 1_700_000_000_000.25, K6Version: "2.2.0"})
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is there before the first sample")
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				if err := w.Write(stream()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	text, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 801 || lines[0] != `{"assay":"samples","version":2,"epochMs":1700000000000.25,"k6Version":"2.2.0"}` {
		t.Fatalf("%d lines, the first is %s", len(lines), lines[0])
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Fatalf("no JSON: %s", line)
		}
	}
}

func TestFilesThatCannotBeWritten(t *testing.T) {
	used := filepath.Join(t.TempDir(), "used")
	if err := os.WriteFile(used, []byte("kept\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		used:           "the samples file " + used + " cannot be written: it has content already; choose a new folder for each run",
		used + "/x":    "the samples file " + used + "/x cannot be written: not a directory",
		used + ".no/x": "the samples file " + used + ".no/x cannot be written: its folder does not exist; create it first",
	}
	for path, want := range tests {
		w := NewWriter(path, Header{})
		first, second := w.Write(stream()), w.Write(stream())
		var failed *disk.Error
		if first == nil || first.Error() != want || second != first || !errors.As(first, &failed) {
			t.Errorf("%s: %v, then %v", path, first, second)
		}
		_ = w.Close()
	}
	if text, _ := os.ReadFile(used); string(text) != "kept\n" {
		t.Error("a file of somebody else was changed")
	}
}

func TestWithoutAPathNothingIsWritten(t *testing.T) {
	w := NewWriter("", Header{})
	if err := errors.Join(w.Write(stream()), w.Close()); err != nil {
		t.Error(err)
	}
}
