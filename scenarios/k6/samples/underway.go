package samples

import (
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// writeInterval is how often the file is written.
const writeInterval = time.Second

// maxListedStreams keeps the file small.
const maxListedStreams = 20_000

// UnderWay writes the unfinished streams to a file once a second, atomically. Without it, a target that never responds
// would go unnoticed until the first stream times out. The file contains the number of busy virtual users and a sample
// of each stream as if it ended now. It is safe for concurrent use.
type UnderWay struct {
	path      string
	now       func() int64
	busyUsers func() int64

	once        sync.Once
	mutex       sync.Mutex
	openStreams map[*OpenStream]struct{}
}

// OpenStream is one unfinished stream. Its reader records the times.
type OpenStream struct {
	sample                          Sample
	headers, firstEvent, firstMatch atomic.Int64
}

// NewUnderWay returns an UnderWay. If path is empty, it writes nothing. now returns microseconds.
func NewUnderWay(path string, now, busyUsers func() int64) *UnderWay {
	return &UnderWay{path: path, now: now, busyUsers: busyUsers, openStreams: map[*OpenStream]struct{}{}}
}

// Start starts writing. Further calls do nothing.
func (u *UnderWay) Start() {
	if u.path == "" {
		return
	}
	u.once.Do(func() {
		go func() {
			lastTick := time.Now()
			for tick := range time.Tick(writeInterval) {
				// If the tick is late, because this process was suspended or starved, received bytes may still be unread.
				if tick.Sub(lastTick) < writeInterval+writeInterval/10 {
					u.write()
				}
				lastTick = tick
			}
		}()
	})
}

// Begin records that a planned stream is sent now.
func (u *UnderWay) Begin(planned *Sample) *OpenStream {
	o := &OpenStream{sample: *planned}
	o.sample.Send = u.now()
	o.SetTimes(None, None, None)
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.openStreams[o] = struct{}{}
	return o
}

// SetTimes records when the parts of the stream arrived, None for missing ones.
func (o *OpenStream) SetTimes(headers, firstEvent, firstMatch int64) {
	o.headers.Store(headers)
	o.firstEvent.Store(firstEvent)
	o.firstMatch.Store(firstMatch)
}

// End records the end of a stream.
func (u *UnderWay) End(o *OpenStream) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	delete(u.openStreams, o)
}

// text returns the content of the file: a header line, then one line for each stream.
func (u *UnderWay) text() []byte {
	now := u.now()
	o := object{b: []byte(`{"assay":"under-way","version":1`)}
	o.time("nowMs", now)
	o.count("atWork", u.busyUsers())
	b := append(o.b, '}', '\n')
	u.mutex.Lock()
	defer u.mutex.Unlock()
	listedCount := 0
	for openStream := range u.openStreams {
		if listedCount++; listedCount > maxListedStreams {
			break
		}
		b = openStream.sampleAt(now).append(b)
	}
	return b
}

// sampleAt returns the sample of the stream as if it ended now.
func (o *OpenStream) sampleAt(now int64) *Sample {
	s := o.sample
	s.End, s.Outcome = now, "canceled"
	s.Headers, s.FirstEvent, s.FirstMatch = o.headers.Load(), o.firstEvent.Load(), o.firstMatch.Load()
	return &s
}

// write never fails: the next write comes a second later, and a full disk fails the samples.
func (u *UnderWay) write() {
	temporary := u.path + "." + strconv.Itoa(os.Getpid())
	if os.WriteFile(temporary, u.text(), 0o600) != nil || os.Rename(temporary, u.path) != nil {
		_ = os.Remove(temporary)
	}
}
