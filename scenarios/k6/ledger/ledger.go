// Package ledger records what a run is about to create at a target, in the format that Assay's cleanup reads.
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

// ErrMarker is returned for an invalid marker. Cleanup could not find its conversations.
var ErrMarker = errors.New("the marker of a run must be a word of 8 to 100 characters, so that its conversations can be found")

var (
	markerPattern = regexp.MustCompile(`^[0-9A-Za-z_.-]{8,100}$`)
	idPattern     = regexp.MustCompile(`^[\x21-\x7e]{1,300}$`)
)

// maxLineBytes is far more than an entry needs.
const maxLineBytes = 1 << 20

// Ledger writes to a file that is created with the first entry. It is safe for concurrent use.
type Ledger struct {
	path    string
	secrets []string

	mutex   sync.Mutex
	file    *os.File
	lastKey int
}

// New returns a ledger. If path is empty, it writes nothing. It does not write ids that contain a secret.
func New(path string, secrets []string) *Ledger {
	return &Ledger{path: path, secrets: secrets}
}

type entryLine struct {
	Event      string `json:"event"`
	Key        string `json:"key"`
	At         string `json:"at,omitempty"`
	Marker     string `json:"marker,omitempty"`
	Interface  string `json:"interface,omitempty"`
	Credential string `json:"credential,omitempty"`
	ID         string `json:"id,omitempty"`
}

// RecordIntent records a creation before its request and returns the key of the entry. The entry is then on disk.
func (l *Ledger) RecordIntent(creation Creation, at time.Time) (string, error) {
	if !markerPattern.MatchString(creation.Marker) {
		return "", ErrMarker
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.open(); err != nil {
		return "", err
	}
	l.lastKey++
	key := strconv.Itoa(l.lastKey)
	err := l.writeEntry(entryLine{
		Event: "intent", Key: key, At: at.UTC().Format("2006-01-02T15:04:05.000Z"),
		Marker: creation.Marker, Interface: creation.Interface, Credential: creation.Credential,
	}, true)
	return key, err
}

// RecordCreated records the id of a created conversation. It omits an id that is not plain text or contains a secret.
// Cleanup then finds the conversation by its marker.
func (l *Ledger) RecordCreated(key, id string) error {
	if !idPattern.MatchString(id) || l.isSecret(id) {
		id = ""
	}
	return l.appendEntry(entryLine{Event: "made", Key: key, ID: id})
}

// RecordNotCreated records that the request created no conversation.
func (l *Ledger) RecordNotCreated(key string) error {
	return l.appendEntry(entryLine{Event: "nothing", Key: key})
}

// RecordDeleted records the deletion of a conversation.
func (l *Ledger) RecordDeleted(key string) error {
	return l.appendEntry(entryLine{Event: "deleted", Key: key})
}

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

func (l *Ledger) appendEntry(entry entryLine) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.open(); err != nil {
		return err
	}
	return l.writeEntry(entry, false)
}

func (l *Ledger) writeEntry(entry entryLine, sync bool) error {
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

// continueFile finds the used keys and terminates a line that a killed process left incomplete.
func (l *Ledger) continueFile(file *os.File) error {
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return err
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLineBytes)
	hasContent := false
	for lines.Scan() {
		hasContent = true
		var entry entryLine
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
	return &disk.Error{FileKind: "the ledger", Path: l.path, Cause: err}
}
