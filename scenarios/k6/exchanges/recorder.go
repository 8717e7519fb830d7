// Package exchanges records requests and responses in append-only files, with secrets replaced. Recording never delays
// the load: if the disk or the processor cannot keep up, an exchange is counted as lost.
package exchanges

import (
	"encoding/json"
	"hash/maphash"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"assay/k6/redact"
)

// Group is thinned out separately, so that many exchanges of one group do not displace few of another.
type Group uint8

// The groups.
const (
	Search Group = iota
	Conversation
	groupCount
)

var groupNames = [groupCount]string{"search", "conversation"}

const (
	// queueLength is the maximum number of waiting messages, with a buffer each.
	queueLength = 256
	// queueYield is the number of waiting messages from which the sender yields.
	queueYield = 4
	// flushEvery is the maximum time of written data in memory.
	flushEvery = 200 * time.Millisecond
	// settleLimit is the maximum wait for pending writes at the end of a run.
	settleLimit = 30 * time.Second
	levelCount  = 32
	// paceMicros is the period over which the fill rate is measured.
	paceMicros = 2_000_000
	// maxPace is the maximum of bytes a second, where a new byte counts as newPace repeated ones, since it costs that
	// much processor time. So recording does not disturb the load: at most 8 MiB a second are new, which fill a
	// gibibyte in two minutes. Larger limits may fill proportionally faster.
	maxPace     = newPace * 8 << 20
	newPace     = 32
	fillSeconds = 128
)

// Options of a recorder.
type Options struct {
	// Folder is created when the first exchange ends.
	Folder string
	// MaxBytes limits all files together.
	MaxBytes int64
	// Redactors by group. Each is used by one goroutine.
	Redactors [groupCount]*redact.Redactor
	EpochMs   float64
	Now       func() int64
}

type message struct {
	exchange *Exchange
	buffer   *[bufferBytes]byte
	filled   int
	isEnd    bool
	// session that has ended, and its group.
	session string
	// settled is closed when everything before it is on the disk.
	settled chan struct{}
}

// Count has the number of exchanges of a group by result.
type Count struct {
	// Sent counts all, Kept those that can be judged.
	Sent int64 `json:"sent"`
	Kept int64 `json:"kept"`
	// ThinnedOut were dropped at random because the files were full or filled too fast, Lost because the recorder did
	// not keep up.
	ThinnedOut int64 `json:"thinnedOut"`
	Lost       int64 `json:"lost"`
	// Halvings counts how often the kept share was halved.
	Halvings int `json:"halvings"`
}

type counters struct {
	sent, thinned, lost, kept atomic.Int64
	// least is the lowest kept level.
	least atomic.Int32
}

// Recorder records exchanges. It is safe for concurrent use. nil records nothing.
type Recorder struct {
	options Options
	seed    maphash.Seed
	numbers atomic.Int64
	queue   chan message
	once    sync.Once
	// maxKnown limits the remembered pieces of a file.
	maxKnown int
	// maxPace is what is taken in a second.
	maxPace int64

	inFlight atomic.Int64
	second   atomic.Int64
	thisRate atomic.Int64
	lastRate atomic.Int64
	counts   [groupCount]counters
	problem  atomic.Pointer[string]

	// Of the goroutine that writes.
	files [groupCount][levelCount]*segment
	bytes [groupCount]int64
	// paceSince is the start of the period of pace.
	paceSince int64
	pace      [groupCount]int64
}

// New makes a recorder; nil without a folder or without space.
func New(options Options) *Recorder {
	if options.Folder == "" || options.MaxBytes <= 0 {
		return nil
	}
	return &Recorder{
		options: options, seed: maphash.MakeSeed(), queue: make(chan message, queueLength),
		maxKnown: maxKnown, maxPace: max(maxPace, newPace*options.MaxBytes/fillSeconds),
	}
}

// levelOf returns a random level: half of all exchanges are in the first, half of the rest in the next, and so on.
func (r *Recorder) levelOf(e *Exchange) int {
	key := e.meta.Session
	var h uint64
	if key == "" {
		h = maphash.Comparable(r.seed, e.number)
	} else {
		h = maphash.String(r.seed, key)
	}
	return min(bits.LeadingZeros64(h), levelCount-1)
}

func (r *Recorder) begin(e *Exchange) {
	r.once.Do(func() { go r.write() })
	e.number = r.numbers.Add(1)
	e.inFlight = r.inFlight.Add(1)
	e.rate = r.countSecond()
	e.level = r.levelOf(e)
	count := &r.counts[e.meta.Group]
	count.sent.Add(1)
	if e.level < int(count.least.Load()) {
		e.isThinned = true
		count.thinned.Add(1)
	}
}

// countSecond counts this request and returns the number in the previous whole second.
func (r *Recorder) countSecond() int64 {
	now := r.options.Now() / 1e6
	if last := r.second.Load(); last != now && r.second.CompareAndSwap(last, now) {
		began := r.thisRate.Swap(0)
		if now != last+1 {
			began = 0
		}
		r.lastRate.Store(began)
	}
	this := r.thisRate.Add(1)
	return max(this, r.lastRate.Load())
}

// send never blocks: if the queue is full, the exchange is lost. A long queue yields to other goroutines first, such as
// the writer, since on a single processor a user would otherwise read many megabytes before it.
func (r *Recorder) send(m message) {
	e := m.exchange
	if e.lost.Load() {
		release(m)
		return
	}
	select {
	case r.queue <- m:
		if len(r.queue) > queueYield {
			runtime.Gosched()
		}
	default:
		release(m)
		if !e.lost.Swap(true) {
			r.counts[e.meta.Group].lost.Add(1)
		}
	}
}

func release(m message) {
	if m.buffer != nil {
		buffers.Put(m.buffer)
	}
}

// SessionEnded ends the session of a poller.
func (r *Recorder) SessionEnded(session string) {
	if r == nil {
		return
	}
	r.once.Do(func() { go r.write() })
	select {
	case r.queue <- message{session: session}:
	default:
		// A reader finds its end at the end of the file.
	}
}

// Settle waits until all finished exchanges are on the disk, and writes the counts.
func (r *Recorder) Settle() {
	if r == nil || r.numbers.Load() == 0 {
		return
	}
	late := time.After(settleLimit)
	settled := make(chan struct{})
	select {
	case r.queue <- message{settled: settled}:
		select {
		case <-settled:
		case <-late:
			r.fail("the exchanges were not on the disk in time")
		}
	case <-late:
		r.fail("the exchanges were not on the disk in time")
	}
	r.writeCounts()
}

func (r *Recorder) fail(sentence string) { r.problem.CompareAndSwap(nil, &sentence) }

// Counts are by group, without empty groups.
func (r *Recorder) Counts() map[string]Count {
	found := map[string]Count{}
	for group := range r.counts {
		c := &r.counts[group]
		if sent := c.sent.Load(); sent > 0 {
			found[groupNames[group]] = Count{
				Sent: sent, Kept: c.kept.Load(), ThinnedOut: c.thinned.Load(), Lost: c.lost.Load(), Halvings: int(c.least.Load()),
			}
		}
	}
	return found
}

func (r *Recorder) writeCounts() {
	facts := map[string]any{"assay": "exchange-counts", "version": 1, "groups": r.Counts()}
	if problem := r.problem.Load(); problem != nil {
		facts["problem"] = *problem
	}
	text, err := json.Marshal(facts)
	if err == nil {
		// The files can be read without the counts.
		_ = os.WriteFile(filepath.Join(r.options.Folder, "counts.json"), append(text, '\n'), 0o600)
	}
}
