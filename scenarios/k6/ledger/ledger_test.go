package ledger

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	creation = Creation{Marker: "run-12345678", Interface: "legacy", Credential: "access-token"}
	noon     = time.Date(2026, 1, 2, 12, 0, 0, 7_000_000, time.FixedZone("", 3600))
)

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.ndjson")
	l := New(path, []string{"", "sgp_secret"})
	first, err := l.RecordIntent(creation, noon)
	if err != nil {
		t.Fatal(err)
	}
	second, _ := l.RecordIntent(creation, noon)
	err = errors.Join(l.RecordCreated(first, "42"), l.RecordDeleted(first), l.RecordNotCreated(second), l.RecordCreated(second, "x-sgp_secret"), l.RecordCreated(second, "a b"), l.Close())
	const intent = `"at":"2026-01-02T11:00:00.007Z","marker":"run-12345678","interface":"legacy","credential":"access-token"}` + "\n"
	want := `{"event":"intent","key":"1",` + intent + `{"event":"intent","key":"2",` + intent +
		`{"event":"made","key":"1","id":"42"}
{"event":"deleted","key":"1"}
{"event":"nothing","key":"2"}
{"event":"made","key":"2"}
{"event":"made","key":"2"}
`
	if got := content(t, path); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestALedgerGoesOnBehindHalfALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.ndjson")
	old := `{"event":"intent","key":"7"}` + "\n" + `{"event":"made","k`
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	l := New(path, nil)
	if key, err := l.RecordIntent(creation, noon); key != "8" || err != nil {
		t.Errorf("key %s, %v", key, err)
	}
	lines := strings.Split(content(t, path), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], `{"event":"intent","key":"8"`) {
		t.Errorf("%q", lines)
	}
	_ = l.Close()
}

func TestKeysOfManyAreTheirOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.ndjson")
	l := New(path, nil)
	var keys sync.Map
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 10 {
				key, err := l.RecordIntent(creation, noon)
				if _, taken := keys.LoadOrStore(key, true); taken || err != nil {
					t.Errorf("key %s twice, or %v", key, err)
				}
			}
		})
	}
	group.Wait()
	lines := strings.Split(strings.TrimSpace(content(t, path)), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	if len(lines) != 80 {
		t.Errorf("%d lines", len(lines))
	}
	_ = l.Close()
}

func TestWhatCannotBeNotedIsAnError(t *testing.T) {
	removed := filepath.Join(t.TempDir(), "ledger.ndjson")
	l := New(removed, nil)
	if _, err := l.RecordIntent(creation, noon); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(removed); err != nil {
		t.Fatal(err)
	}
	if err := l.RecordCreated("1", "2"); err == nil || !strings.Contains(err.Error(), "its folder does not exist") {
		t.Errorf("a removed file: %v", err)
	}
	for _, marker := range []string{"", "short", "with space", strings.Repeat("x", 101)} {
		if _, err := New("", nil).RecordIntent(Creation{Marker: marker}, noon); !errors.Is(err, ErrMarker) {
			t.Errorf("marker %q: %v", marker, err)
		}
	}
}

func TestWithoutAPathNothingIsWritten(t *testing.T) {
	l := New("", nil)
	key, err := l.RecordIntent(creation, noon)
	if err = errors.Join(err, l.RecordCreated(key, "1"), l.Close()); err != nil || key != "1" {
		t.Errorf("%s %v", key, err)
	}
}

func TestAFullDiskIsASentence(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	if _, err := New("/dev/full", nil).RecordIntent(creation, noon); err == nil || !strings.HasSuffix(err.Error(), "the disk is full; free some space") {
		t.Errorf("a full disk: %v", err)
	}
}
