// Package generator measures the process that generates the load. Without enough processor time, the load run would
// measure its own delays.
package generator

import (
	"runtime"
	"sync"
	"time"

	"assay/k6/histogram"
)

// tick is the interval of the timer.
const tick = 10 * time.Millisecond

// Facts are measurements of the process.
type Facts struct {
	CPUSeconds    float64 `json:"cpuSeconds"`
	WallSeconds   float64 `json:"wallSeconds"`
	Cores         int     `json:"cores"`
	MaxRSSBytes   int64   `json:"maxRssBytes"`
	TimerLagP99Ms float64 `json:"timerLagP99Ms"`
	TimerLagMaxMs float64 `json:"timerLagMaxMs"`
}

// Watch measures from its first Start. The zero value is ready to use.
type Watch struct {
	once       sync.Once
	mutex      sync.Mutex
	start      time.Time
	cpuAtStart time.Duration
	timerLag   histogram.Histogram
	stop       chan struct{}
}

// Start starts the watch. Further calls have no effect.
func (w *Watch) Start() {
	w.once.Do(func() {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		w.start = time.Now()
		w.cpuAtStart = cpuTime()
		w.stop = make(chan struct{})
		go w.run(w.stop)
	})
}

// Stop stops the timer. Only tests need it.
func (w *Watch) Stop() {
	w.once.Do(func() {})
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.stop != nil {
		close(w.stop)
		w.stop = nil
	}
}

func (w *Watch) run(stop <-chan struct{}) {
	timer := time.NewTimer(tick)
	defer timer.Stop()
	for due := time.Now().Add(tick); ; {
		select {
		case <-stop:
			return
		case <-timer.C:
		}
		now := time.Now()
		w.mutex.Lock()
		w.timerLag.Add(now.Sub(due).Microseconds())
		w.mutex.Unlock()
		// A late tick does not delay the next one.
		due = now.Add(tick)
		timer.Reset(tick)
	}
}

// Facts returns the measurements so far.
func (w *Watch) Facts() Facts {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	facts := Facts{Cores: runtime.GOMAXPROCS(0), MaxRSSBytes: maxRSS()}
	if !w.start.IsZero() {
		facts.CPUSeconds = (cpuTime() - w.cpuAtStart).Seconds()
		facts.WallSeconds = time.Since(w.start).Seconds()
		facts.TimerLagP99Ms = float64(w.timerLag.Quantile(0.99)) / 1e3
		facts.TimerLagMaxMs = float64(w.timerLag.Max) / 1e3
	}
	return facts
}
