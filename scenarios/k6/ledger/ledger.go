// Package ledger keeps what a run creates at a target, on disk before the creating call, in the form that the rest of
// the project reads and cleans up from.
package ledger

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/k6/disk"
)

// Creation is what is about to be created.
type Creation struct {
	// Marker is the id of the run; stands in the text of its question.
	Marker string
	// Interface is legacy or current.
	Interface string
	// Credential says who creates it; never a token.
	Credential string
}

// ErrMarker: a marker that could not be found again.
var ErrMarker = errors.New("the marker of a run has to be a word of 8 to 100 characters, or its conversations are not found")

var (
	markers = regexp.MustCompile(`^[0-9A-Za-z_.-]{8,100}$`)
	plainID = regexp.MustCompile(`^[\x21-\x7e]{1,300}$`)
)

// maxLineBytes is far more than a line of a ledger has.
const maxLineBytes = 1 << 20

// Ledger writes to a file that is made with the first entry. Safe for use by many goroutines.
type Ledger struct {
	path    string
	secrets []string

	mutex   sync.Mutex
	file    *os.File
	lastKey int
}

// New makes a ledger; without a path nothing is ever written. An id that holds a secret is not written.
func New(path string, secrets []string) *Ledger {
	return &Ledger{path: path, secrets: secrets}
}

type line struct {
	Event      string `json:"event"`
	Key        string `json:"key"`
	At         string `json:"at,omitempty"`
	Marker     string `json:"marker,omitempty"`
	Interface  string `json:"interface,omitempty"`
	Credential string `json:"credential,omitempty"`
	ID         string `json:"id,omitempty"`
}

// Intend notes a creation before it is asked for; it is on the disk when the call returns. Gives the key of the entry.
func (l *Ledger) Intend(creation Creation, at time.Time) (string, error) {
	if !markers.MatchString(creation.Marker) {
		return "", ErrMarker
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.open(); err != nil {
		return "", err
	}
	l.lastKey++
	key := strconv.Itoa(l.lastKey)
	err := l.put(line{
		Event: "intent", Key: key, At: at.UTC().Format("2006-01-02T15:04:05.000Z"),
		Marker: creation.Marker, Interface: creation.Interface, Credential: creation.Credential,
	}, true)
	return key, err
}

// Made notes what was created. An id that is no plain text, or holds a secret, is left out: the marker finds it then.
func (l *Ledger) Made(key, id string) error {
	if !plainID.MatchString(id) || l.isSecret(id) {
		id = ""
	}
	return l.note(line{Event: "made", Key: key, ID: id})
}

// Nothing notes that nothing was created.
func (l *Ledger) Nothing(key string) error { return l.note(line{Event: "nothing", Key: key}) }

// Deleted notes that it is gone.
func (l *Ledger) Deleted(key string) error { return l.note(line{Event: "deleted", Key: key}) }

// Close closes the file.
func (l *Ledger) Close() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

func (l *Ledger) isSecret(id string) bool {
	for _, secret := range l.secrets {
		if secret != "" && strings.Contains(id, secret) {
			return true
		}
	}
	return false
}

func (l *Ledger) note(entry line) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.open(); err != nil {
		return err
	}
	return l.put(entry, false)
}

func (l *Ledger) put(entry line, sync bool) error {
	if l.path == "" {
		return nil
	}
	// Writing to a file that was removed succeeds, and nothing could be found again: look first.
	if _, err := os.Stat(l.path); err != nil {
		return l.fail(err)
	}
	text, err := json.Marshal(entry)
	if err == nil {
		err = disk.AppendWhole(l.file, append(text, '\n'))
	}
	if err == nil && sync {
		err = l.file.Sync()
	}
	if err != nil {
		return l.fail(err)
	}
	return nil
}

func (l *Ledger) open() error {
	if l.path == "" || l.file != nil {
		return nil
	}
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return l.fail(err)
	}
	if err := l.continueFile(file); err != nil {
		_ = file.Close()
		return l.fail(err)
	}
	l.file = file
	return nil
}

// continueFile finds the keys that are taken and ends a line that a killed process left half written.
func (l *Ledger) continueFile(file *os.File) error {
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return err
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLineBytes)
	hasContent := false
	for lines.Scan() {
		hasContent = true
		var entry line
		if json.Unmarshal(lines.Bytes(), &entry) == nil {
			if number, err := strconv.Atoi(entry.Key); err == nil {
				l.lastKey = max(l.lastKey, number)
			}
		}
	}
	if err := lines.Err(); err != nil || !hasContent {
		return err
	}
	return disk.AppendWhole(file, []byte("\n"))
}

func (l *Ledger) fail(err error) error {
	return &disk.Error{What: "the ledger", Path: l.path, Cause: err}
}
