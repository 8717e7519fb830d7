package samples

import (
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// tick is how often the file is written.
const tick = time.Second

// maxListed is the maximum number of listed streams, so that the file stays small.
const maxListed = 20_000

// UnderWay writes the unfinished streams to a file once a second, atomically. Without it, a target that never answers
// would be unnoticed until the deadline of the first stream. The file has the number of busy virtual users, and each
// stream as if it ended now. It is safe for concurrent use.
type UnderWay struct {
	path   string
	now    func() int64
	atWork func() int64

	once  sync.Once
	mutex sync.Mutex
	open  map[*Open]struct{}
}

// Open is one unfinished stream. Its reader records the times.
type Open struct {
	sample                          Sample
	headers, firstEvent, firstMatch atomic.Int64
}

// NewUnderWay makes an UnderWay. Without a path nothing is written. The clock is in microseconds.
func NewUnderWay(path string, now, atWork func() int64) *UnderWay {
	return &UnderWay{path: path, now: now, atWork: atWork, open: map[*Open]struct{}{}}
}

// Start starts writing. Further calls do nothing.
func (u *UnderWay) Start() {
	if u.path == "" {
		return
	}
	u.once.Do(func() {
		go func() {
			last := time.Now()
			for at := range time.Tick(tick) {
				// After this process was stopped or had no processor time, received bytes may not have been read yet.
				if at.Sub(last) < tick+tick/10 {
					u.write()
				}
				last = at
			}
		}()
	})
}

// Begin records a stream that is sent now, with its plan.
func (u *UnderWay) Begin(planned *Sample) *Open {
	o := &Open{sample: *planned}
	o.sample.Send = u.now()
	o.Came(None, None, None)
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.open[o] = struct{}{}
	return o
}

// Came records when its parts arrived, None for missing ones.
func (o *Open) Came(headers, firstEvent, firstMatch int64) {
	o.headers.Store(headers)
	o.firstEvent.Store(firstEvent)
	o.firstMatch.Store(firstMatch)
}

// End records the end of a stream.
func (u *UnderWay) End(o *Open) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	delete(u.open, o)
}

// text is the content of the file: a header line, then one line for each stream.
func (u *UnderWay) text() []byte {
	now := u.now()
	o := object{b: []byte(`{"assay":"under-way","version":1`)}
	o.time("nowMs", now)
	o.count("atWork", u.atWork())
	b := append(o.b, '}', '\n')
	u.mutex.Lock()
	defer u.mutex.Unlock()
	told := 0
	for open := range u.open {
		if told++; told > maxListed {
			break
		}
		b = open.at(now).append(b)
	}
	return b
}

// at returns the stream as if it ended at an instant.
func (o *Open) at(now int64) *Sample {
	s := o.sample
	s.End, s.Outcome = now, "canceled"
	s.Headers, s.FirstEvent, s.FirstMatch = o.headers.Load(), o.firstEvent.Load(), o.firstMatch.Load()
	return &s
}

// write never fails: the next write comes a second later, and a full disk fails the samples.
func (u *UnderWay) write() {
	fresh := u.path + "." + strconv.Itoa(os.Getpid())
	if os.WriteFile(fresh, u.text(), 0o600) != nil || os.Rename(fresh, u.path) != nil {
		_ = os.Remove(fresh)
	}
}
