// Package backoff pauses requests while a target is overloaded.
package backoff

import (
	"sync"
	"time"
)

const (
	minPause          = time.Second
	maxPause          = 30 * time.Second
	maxRequestedPause = 60 * time.Second
	windowSize        = 40
	maxFailures       = windowSize / 2
)

// Guard tracks one target. It is safe for concurrent use. The zero value has no pause. Times are durations on one
// monotonic clock.
type Guard struct {
	mutex sync.Mutex
	// recentFailures is a ring of the results of the last requests, true for a failure.
	recentFailures [windowSize]bool
	nextIndex      int
	failures       int
	// lastPause is 0 if there was none since the last recovery.
	lastPause   time.Duration
	pausedUntil time.Duration
}

// Remaining returns how much of the pause is left. It returns 0 if requests may be sent.
func (g *Guard) Remaining(now time.Duration) time.Duration {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return max(0, g.pausedUntil-now)
}

// Distress records that the target asked for fewer requests, and pauses. requestedPause is capped at one minute. If it is
// 0 or less, pauses double from one second to thirty. Reports during a pause do not double it.
func (g *Guard) Distress(now, requestedPause time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.recordResult(true)
	g.pause(now, requestedPause)
}

// Heard pauses like Distress, because the target asked another process of the load for fewer requests. It records no result.
func (g *Guard) Heard(now, requestedPause time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.pause(now, requestedPause)
}

// Failed records a failed request. It pauses if more than half of the last forty requests failed.
func (g *Guard) Failed(now time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.recordResult(true)
	if g.failures > maxFailures {
		g.pause(now, 0)
	}
}

// Succeeded records a successful request and when it was sent. The first success sent after a pause resets the pause
// length.
func (g *Guard) Succeeded(sentAt time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.recordResult(false)
	if sentAt >= g.pausedUntil {
		g.lastPause = 0
	}
}

func (g *Guard) recordResult(isFailure bool) {
	if g.recentFailures[g.nextIndex] {
		g.failures--
	}
	if isFailure {
		g.failures++
	}
	g.recentFailures[g.nextIndex] = isFailure
	g.nextIndex = (g.nextIndex + 1) % windowSize
}

func (g *Guard) pause(now, requestedPause time.Duration) {
	if now >= g.pausedUntil {
		g.lastPause = min(maxPause, max(minPause, 2*g.lastPause))
	}
	pause := g.lastPause
	if requestedPause > 0 {
		pause = min(requestedPause, maxRequestedPause)
	}
	g.pausedUntil = max(g.pausedUntil, now+pause)
}
