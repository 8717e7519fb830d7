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

// Group is a kind of exchange. Each group is thinned out separately, so that a large group does not displace a small one.
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
	// flushInterval is how long written data may stay in memory.
	flushInterval = 200 * time.Millisecond
	// maxSettleTime is the maximum wait for pending writes at the end of a run.
	maxSettleTime = 30 * time.Second
	levelCount    = 32
	// pacePeriodMicros is the period over which the fill rate is measured.
	pacePeriodMicros = 2_000_000
	// maxPace is the maximum number of bytes per second, so that recording does not disturb the load. A new byte counts
	// as newByteCost repeated ones, since it takes that much more processor time. At 8 MiB of new bytes per second, a
	// gibibyte is full after two minutes. Larger files may fill proportionally faster.
	maxPace     = newByteCost * 8 << 20
	newByteCost = 32
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
	exchange    *Exchange
	buffer      *[bufferBytes]byte
	filledBytes int
	isEnd       bool
	// session is a conversation that has ended. Empty in other messages.
	session string
	// settledSignal is closed when all earlier messages are on disk.
	settledSignal chan struct{}
}

// Count contains the number of exchanges of a group, by what happened to them.
type Count struct {
	// Sent counts all exchanges, Kept those that were stored and can be judged.
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
	sentCount, thinnedCount, lostCount, keptCount atomic.Int64
	// minLevel is the lowest kept level.
	minLevel atomic.Int32
}

// Recorder records exchanges. It is safe for concurrent use. nil records nothing.
type Recorder struct {
	options Options
	seed    maphash.Seed
	numbers atomic.Int64
	queue   chan message
	once    sync.Once
	// maxKnownPieces limits the remembered pieces of a file.
	maxKnownPieces int
	// maxPace is the maximum fill rate per second.
	maxPace int64

	inFlight      atomic.Int64
	currentSecond atomic.Int64
	currentRate   atomic.Int64
	previousRate  atomic.Int64
	counts        [groupCount]counters
	problem       atomic.Pointer[string]

	// The following fields belong to the writing goroutine.
	files [groupCount][levelCount]*segment
	bytes [groupCount]int64
	// paceStart is the start of the period of pace.
	paceStart int64
	pace      [groupCount]int64
}

// New returns a recorder, or nil if there is no folder or no space.
func New(options Options) *Recorder {
	if options.Folder == "" || options.MaxBytes <= 0 {
		return nil
	}
	return &Recorder{
		options: options, seed: maphash.MakeSeed(), queue: make(chan message, queueLength),
		maxKnownPieces: maxKnownPieces, maxPace: max(maxPace, newByteCost*options.MaxBytes/fillSeconds),
	}
}

// chooseLevel returns a random level: half of all exchanges are in the first, half of the rest in the next, and so on.
// All exchanges of a session have the same level.
func (r *Recorder) chooseLevel(e *Exchange) int {
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
	e.level = r.chooseLevel(e)
	count := &r.counts[e.meta.Group]
	count.sentCount.Add(1)
	if e.level < int(count.minLevel.Load()) {
		e.isThinned = true
		count.thinnedCount.Add(1)
	}
}

// countSecond counts a request. It returns the number of requests in this second or the previous one, whichever is
// larger.
func (r *Recorder) countSecond() int64 {
	now := r.options.Now() / 1e6
	if countedSecond := r.currentSecond.Load(); countedSecond != now && r.currentSecond.CompareAndSwap(countedSecond, now) {
		countedRate := r.currentRate.Swap(0)
		if now != countedSecond+1 {
			countedRate = 0
		}
		r.previousRate.Store(countedRate)
	}
	return max(r.currentRate.Add(1), r.previousRate.Load())
}

// send never blocks: if the queue is full, the exchange is lost. If the queue is long, it yields to other goroutines,
// such as the writer. Otherwise a virtual user on a single processor could read many megabytes before the writer runs.
func (r *Recorder) send(m message) {
	e := m.exchange
	if e.isLost.Load() {
		releaseBuffer(m)
		return
	}
	select {
	case r.queue <- m:
		if len(r.queue) > queueYield {
			runtime.Gosched()
		}
	default:
		releaseBuffer(m)
		if !e.isLost.Swap(true) {
			r.counts[e.meta.Group].lostCount.Add(1)
		}
	}
}

func releaseBuffer(m message) {
	if m.buffer != nil {
		buffers.Put(m.buffer)
	}
}

// SessionEnded records that a conversation has ended.
func (r *Recorder) SessionEnded(session string) {
	if r == nil {
		return
	}
	r.once.Do(func() { go r.write() })
	select {
	case r.queue <- message{session: session}:
	default:
		// A reader assumes that the session ends with the file.
	}
}

// Settle waits until all finished exchanges are on disk, and writes the counts.
func (r *Recorder) Settle() {
	if r == nil || r.numbers.Load() == 0 {
		return
	}
	timeout := time.After(maxSettleTime)
	settledSignal := make(chan struct{})
	select {
	case r.queue <- message{settledSignal: settledSignal}:
		select {
		case <-settledSignal:
		case <-timeout:
			r.fail("the exchanges were not on the disk in time")
		}
	case <-timeout:
		r.fail("the exchanges were not on the disk in time")
	}
	r.writeCounts()
}

func (r *Recorder) fail(problem string) { r.problem.CompareAndSwap(nil, &problem) }

// Counts returns the counts by group. It omits groups without requests.
func (r *Recorder) Counts() map[string]Count {
	byGroup := map[string]Count{}
	for group := range r.counts {
		c := &r.counts[group]
		if sent := c.sentCount.Load(); sent > 0 {
			byGroup[groupNames[group]] = Count{
				Sent: sent, Kept: c.keptCount.Load(), ThinnedOut: c.thinnedCount.Load(), Lost: c.lostCount.Load(), Halvings: int(c.minLevel.Load()),
			}
		}
	}
	return byGroup
}

func (r *Recorder) writeCounts() {
	document := map[string]any{"assay": "exchange-counts", "version": 1, "groups": r.Counts()}
	if problem := r.problem.Load(); problem != nil {
		document["problem"] = *problem
	}
	text, err := json.Marshal(document)
	if err == nil {
		// The files can be read without the counts.
		_ = os.WriteFile(filepath.Join(r.options.Folder, "counts.json"), append(text, '\n'), 0o600)
	}
}
