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

// Guard tracks one target. It is safe for concurrent use. The zero value has no pause. All instants are durations since
// the zero of one monotonic clock.
type Guard struct {
	mutex sync.Mutex
	// recent has the last requests, true for a failure.
	recent   [window]bool
	next     int
	failures int
	// hold is the last pause, or 0; until is its end.
	hold  time.Duration
	until time.Duration
}

// Hold returns how long to hold back; 0 for not at all.
func (g *Guard) Hold(now time.Duration) time.Duration {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return max(0, g.until-now)
}

// Distress records that the target asked for fewer requests. Its own delay counts up to a minute. Without one (0 or
// less), pauses double from one second to thirty. Responses of the same moment count once.
func (g *Guard) Distress(now, wish time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.note(true)
	g.pause(now, wish)
}

// Failed records a failed request. More than half of the last forty are distress.
func (g *Guard) Failed(now time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.note(true)
	if g.failures > failuresToHold {
		g.pause(now, 0)
	}
}

// Succeeded records a successful request sent at an instant. The first one sent after a pause ends the distress.
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
