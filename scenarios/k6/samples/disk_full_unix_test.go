//go:build unix

package samples

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAFullDiskIsASentence(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	const want = "the samples file /dev/full cannot be written: the disk is full; free some space"
	if err := NewWriter("/dev/full", Header{}).Write(stream()); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestALineThatDoesNotFitIsCutOffAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "samples.ndjson")
	w := NewWriter(path, Header{K6Version: "2.2.0"})
	if err := w.Write(stream()); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	limitFileSize(t, uint64(len(before)+20))
	if err := w.Write(stream()); !errors.Is(err, syscall.EFBIG) {
		t.Fatalf("%v", err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Errorf("half a line was left: %q", after[len(before):])
	}
}

// limitFileSize makes files of this process end at a size, as a full disk would, until the test is over.
func limitFileSize(t *testing.T, bytes uint64) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Error(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	})
}
