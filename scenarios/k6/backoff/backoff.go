// Package backoff holds requests back while a target is in distress.
package backoff

import (
	"sync"
	"time"
)

const (
	firstHold      = time.Second
	longestHold    = 30 * time.Second
	longestWish    = 60 * time.Second
	window         = 40
	failuresToHold = window / 2
)

// Guard watches one target. Safe for use by many goroutines; the zero value is at ease. All instants are of one
// monotonic clock, as durations since its zero.
type Guard struct {
	mutex sync.Mutex
	// recent holds the last requests, true for a failure.
	recent   [window]bool
	next     int
	failures int
	// hold is the last pause, 0 at ease; until is when it ends.
	hold  time.Duration
	until time.Duration
}

// Hold is how long to hold back; 0 to go on.
func (g *Guard) Hold(now time.Duration) time.Duration {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return max(0, g.until-now)
}

// Distress says that the target asked for fewer requests. A wish of its own counts up to a minute; without one (0 or
// less) pauses double from one second to thirty. What others of the same moment meet is one distress.
func (g *Guard) Distress(now, wish time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.note(true)
	g.pause(now, wish)
}

// Failed says that a request failed; more than half of the last forty are distress.
func (g *Guard) Failed(now time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.note(true)
	if g.failures > failuresToHold {
		g.pause(now, 0)
	}
}

// Succeeded says that a request sent at an instant went well; the first one sent after a pause ends the distress.
func (g *Guard) Succeeded(sent time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.note(false)
	if sent >= g.until {
		g.hold = 0
	}
}

func (g *Guard) note(failed bool) {
	if g.recent[g.next] {
		g.failures--
	}
	if failed {
		g.failures++
	}
	g.recent[g.next] = failed
	g.next = (g.next + 1) % window
}

func (g *Guard) pause(now, wish time.Duration) {
	if now >= g.until {
		g.hold = min(longestHold, max(firstHold, 2*g.hold))
	}
	pause := g.hold
	if wish > 0 {
		pause = min(wish, longestWish)
	}
	g.until = max(g.until, now+pause)
}
