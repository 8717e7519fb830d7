// Package exchanges keeps what was sent and what came back, in files that are only appended to, for whoever judges the
// run. Secrets are replaced before the first byte is written. What is measured never waits for it: where the disk or the
// processor does not keep up, an exchange is counted as not kept.
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

// Group is what is thinned out by itself, so that the many do not crowd out the few.
type Group uint8

// The groups.
const (
	Search Group = iota
	Conversation
	groupCount
)

var groupNames = [groupCount]string{"search", "conversation"}

const (
	// queueLength is how many messages may wait, a buffer each.
	queueLength = 256
	// queueYield messages may wait before others have their turn.
	queueYield = 4
	// flushEvery is how long something written may wait in memory.
	flushEvery = 200 * time.Millisecond
	// settleLimit is how long the end of a run waits for what is still to be written.
	settleLimit = 30 * time.Second
	levelCount  = 32
	// paceMicros is the time over which it is looked how fast files fill.
	paceMicros = 2_000_000
	// mostPace bytes a second are taken, of which one that is new counts as newPace that came before: about what one takes
	// of a processor. So nothing of what is measured feels it, and 8 MiB a second, which fill a gibibyte in two minutes,
	// are new at most; larger files may fill as fast for their size.
	mostPace    = newPace * 8 << 20
	newPace     = 32
	fillSeconds = 128
)

// Options of a recorder.
type Options struct {
	// Folder is made when the first exchange ends.
	Folder string
	// MaxBytes of all files together.
	MaxBytes int64
	// Redactors by group; each is used by one goroutine alone.
	Redactors [groupCount]*redact.Redactor
	EpochMs   float64
	Now       func() int64
}

type message struct {
	exchange *Exchange
	buffer   *[bufferBytes]byte
	filled   int
	isEnd    bool
	// session that is over, and its group.
	session string
	// settled is closed when everything before it is on the disk.
	settled chan struct{}
}

// Count is what became of the exchanges of a group.
type Count struct {
	// Sent are all, Kept those that can be judged.
	Sent int64 `json:"sent"`
	Kept int64 `json:"kept"`
	// ThinnedOut were left out at random because the files were full or filled too fast, Lost because the recorder did not
	// keep up.
	ThinnedOut int64 `json:"thinnedOut"`
	Lost       int64 `json:"lost"`
	// Halvings is how often the share of those that are kept was halved.
	Halvings int `json:"halvings"`
}

type counters struct {
	sent, thinned, lost, kept atomic.Int64
	// least is the lowest level that is kept.
	least atomic.Int32
}

// Recorder keeps exchanges. Safe for use by many goroutines; nil keeps nothing.
type Recorder struct {
	options Options
	seed    maphash.Seed
	numbers atomic.Int64
	queue   chan message
	once    sync.Once
	// maxKnown pieces of a file are remembered.
	maxKnown int
	// mostPace is what is taken in a second.
	mostPace int64

	inFlight atomic.Int64
	second   atomic.Int64
	thisRate atomic.Int64
	lastRate atomic.Int64
	counts   [groupCount]counters
	problem  atomic.Pointer[string]

	// Of the goroutine that writes.
	files [groupCount][levelCount]*segment
	bytes [groupCount]int64
	// paceSince is when the bytes of pace began to be counted.
	paceSince int64
	pace      [groupCount]int64
}

// New makes a recorder; nil without a folder or without any bytes to fill.
func New(options Options) *Recorder {
	if options.Folder == "" || options.MaxBytes <= 0 {
		return nil
	}
	return &Recorder{
		options: options, seed: maphash.MakeSeed(), queue: make(chan message, queueLength),
		maxKnown: maxKnown, mostPace: max(mostPace, newPace*options.MaxBytes/fillSeconds),
	}
}

// levelOf puts half of all into the first level, half of the rest into the next, and so on, by chance.
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

// countSecond counts this request and gives how many began in the whole second before.
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

// send never waits: what does not fit loses its exchange. Where much waits to be written, the others have their turn first,
// of which the writer is one: on a single processor a user would else read many megabytes before it.
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

// SessionEnded says that nothing more comes from a poller.
func (r *Recorder) SessionEnded(session string) {
	if r == nil {
		return
	}
	r.once.Do(func() { go r.write() })
	select {
	case r.queue <- message{session: session}:
	default:
		// Whoever reads finds its end at that of the file.
	}
}

// Settle waits until everything that has ended is on the disk, and writes the counts beside it.
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
			r.fail("what was to be kept was not on the disk in time")
		}
	case <-late:
		r.fail("what was to be kept was not on the disk in time")
	}
	r.writeCounts()
}

func (r *Recorder) fail(sentence string) { r.problem.CompareAndSwap(nil, &sentence) }

// Counts are by the name of their group; those without any exchange are left out.
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
		// Without it the files speak for themselves.
		_ = os.WriteFile(filepath.Join(r.options.Folder, "counts.json"), append(text, '\n'), 0o600)
	}
}
