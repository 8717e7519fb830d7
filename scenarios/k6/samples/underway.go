package samples

import (
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// tick is how often what is under way is told.
const tick = time.Second

// mostTold is how many streams are told at a time, so that the file stays small.
const mostTold = 20_000

// UnderWay tells once a second of streams that were sent and have not ended, in a file that is always whole: whoever follows a
// run would know nothing of a target that never answers until the deadline of the first stream. It says how many virtual users
// are at work, and of each stream what would be known if it ended now. Safe for use by many goroutines.
type UnderWay struct {
	path   string
	now    func() int64
	atWork func() int64

	once  sync.Once
	mutex sync.Mutex
	open  map[*Open]struct{}
}

// Open is one stream. What has come is noted by whoever reads it.
type Open struct {
	sample                          Sample
	headers, firstEvent, firstMatch atomic.Int64
}

// NewUnderWay makes one; without a path nothing is ever written. The clock is in microseconds.
func NewUnderWay(path string, now, atWork func() int64) *UnderWay {
	return &UnderWay{path: path, now: now, atWork: atWork, open: map[*Open]struct{}{}}
}

// Start begins to tell; further calls do nothing.
func (u *UnderWay) Start() {
	if u.path == "" {
		return
	}
	u.once.Do(func() {
		go func() {
			last := time.Now()
			for at := range time.Tick(tick) {
				// After this process was stopped, or had no processor, what has come may not have been read yet.
				if at.Sub(last) < tick+tick/10 {
					u.write()
				}
				last = at
			}
		}()
	})
}

// Begin notes a stream that is sent now, of which the plan is known.
func (u *UnderWay) Begin(planned *Sample) *Open {
	o := &Open{sample: *planned}
	o.sample.Send = u.now()
	o.Came(None, None, None)
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.open[o] = struct{}{}
	return o
}

// Came notes when its parts came, None for one that has not.
func (o *Open) Came(headers, firstEvent, firstMatch int64) {
	o.headers.Store(headers)
	o.firstEvent.Store(firstEvent)
	o.firstMatch.Store(firstMatch)
}

// End notes that a stream has ended.
func (u *UnderWay) End(o *Open) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	delete(u.open, o)
}

// text is what is told: a line about all, then one for each stream.
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
		if told++; told > mostTold {
			break
		}
		b = open.at(now).append(b)
	}
	return b
}

// at is the stream as if it ended at that instant.
func (o *Open) at(now int64) *Sample {
	s := o.sample
	s.End, s.Outcome = now, "canceled"
	s.Headers, s.FirstEvent, s.FirstMatch = o.headers.Load(), o.firstEvent.Load(), o.firstMatch.Load()
	return &s
}

// write never fails: what is lost is told again a second later, and the samples tell of a disk that is full.
func (u *UnderWay) write() {
	fresh := u.path + "." + strconv.Itoa(os.Getpid())
	if os.WriteFile(fresh, u.text(), 0o600) != nil || os.Rename(fresh, u.path) != nil {
		_ = os.Remove(fresh)
	}
}
