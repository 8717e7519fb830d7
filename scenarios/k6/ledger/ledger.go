// Package ledger stores what a run creates at a target before the creating call, in the format from which Assay cleans
// up.
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

// Creation is a conversation about to be created.
type Creation struct {
	// Marker is the id of the run, which is in the text of its question.
	Marker string
	// Interface is legacy or current.
	Interface string
	// Credential names the creator; it is never a token.
	Credential string
}

// ErrMarker is returned for a marker by which conversations could not be found.
var ErrMarker = errors.New("the marker of a run has to be a word of 8 to 100 characters, or its conversations are not found")

var (
	markers = regexp.MustCompile(`^[0-9A-Za-z_.-]{8,100}$`)
	plainID = regexp.MustCompile(`^[\x21-\x7e]{1,300}$`)
)

// maxLineBytes is far more than a line needs.
const maxLineBytes = 1 << 20

// Ledger writes to a file, created with the first entry. It is safe for concurrent use.
type Ledger struct {
	path    string
	secrets []string

	mutex   sync.Mutex
	file    *os.File
	lastKey int
}

// New makes a ledger. Without a path nothing is written. An id that contains a secret is not written.
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

// Intend records a creation before its request and returns the key of the entry. It is on the disk when the call
// returns.
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

// Made records the id of a creation. An id that is not plain text or contains a secret is omitted; the marker then
// finds the conversation.
func (l *Ledger) Made(key, id string) error {
	if !plainID.MatchString(id) || l.isSecret(id) {
		id = ""
	}
	return l.note(line{Event: "made", Key: key, ID: id})
}

// Nothing records that nothing was created.
func (l *Ledger) Nothing(key string) error { return l.note(line{Event: "nothing", Key: key}) }

// Deleted records the deletion.
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
	// Writing to a removed file succeeds and would lose the entry, so check first.
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

// continueFile finds the used keys and ends a line that a killed process left incomplete.
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
