package stream

import "bytes"

// Limits bound what is read of one stream.
type Limits struct {
	// MaxLineBytes is the longest line without its line feed.
	MaxLineBytes int
	// MaxEvents is the highest number of events, malformed ones included.
	MaxEvents int
}

// DefaultLimits are those of the checker in TypeScript, and a million events.
var DefaultLimits = Limits{MaxLineBytes: 64 << 20, MaxEvents: 1_000_000}

// Limit is a bound of the harness that a stream reached; it is never a violation.
type Limit uint8

// The bounds.
const (
	NoLimit Limit = iota
	LineTooLong
	TooManyEvents
)

// maxObservationDetails is how many distinct details of an observation are counted.
const maxObservationDetails = 50

// Never stands for an instant that did not come.
const Never int64 = -1

// Report is what is known of a stream so far. Instants are those given to Feed with the bytes that completed the event.
type Report struct {
	Bytes int64
	// Events handed over to a client: both fields came, up to the first done.
	Events  int
	ByName  [nameCount]int
	Matches int64
	// FirstMatch is the index of the first matches event that is not empty among all events, or -1.
	FirstMatch   int
	Violations   [violationCount]int
	Observations [observationCount]int
	Limit        Limit
	FirstEventAt int64
	FirstMatchAt int64
	// DoneAt is the blank line that ends the first done, or the end of a stream without one.
	DoneAt int64
}

// ViolationCounts gives the violations by code; nil without any.
func (r *Report) ViolationCounts() map[string]int {
	return counts(r.Violations[:], func(i int) string { return violationNames[i] })
}

// ObservationCounts gives the number of distinct details of each observation by code; nil without any.
func (r *Report) ObservationCounts() map[string]int {
	return counts(r.Observations[:], func(i int) string { return observationNames[i] })
}

// EventCounts gives the number of events by name; nil without any.
func (r *Report) EventCounts() map[string]int {
	return counts(r.ByName[:], func(i int) string { return eventNames[i] })
}

func counts(list []int, name func(int) string) map[string]int {
	var found map[string]int
	for i, n := range list {
		if n == 0 {
			continue
		}
		if found == nil {
			found = make(map[string]int)
		}
		found[name(i)] = n
	}
	return found
}

// Checker checks one stream. Call Reset before the first use and before each further stream.
type Checker struct {
	Report

	limits  Limits
	line    line
	block   block
	json    jsonReader
	seen    [observationCount]map[string]struct{}
	begun   bool
	done    bool
	tail    bool
	stopped bool
	// excused: the last line is not UTF-8 so near to its end that it may be the end of the stream that cuts a character.
	excused bool
	at      int64
}

// Reset makes it ready for a stream; its memory is used again.
func (c *Checker) Reset(limits Limits) {
	c.json.reset()
	*c = Checker{
		Report: Report{FirstMatch: -1, FirstEventAt: Never, FirstMatchAt: Never, DoneAt: Never},
		limits: limits,
		json:   c.json,
	}
}

// Done says whether the first done has come, with its blank line.
func (c *Checker) Done() bool { return c.done }

// Stopped says whether a limit was reached; nothing more is read then.
func (c *Checker) Stopped() bool { return c.stopped }

// Feed takes the next bytes and the instant at which they came. The bytes may be used again afterwards.
func (c *Checker) Feed(b []byte, at int64) {
	c.at = at
	c.Bytes += int64(len(b))
	for len(b) > 0 && !c.stopped {
		// Blank lines are a third of all lines: look at the byte before calling the search.
		end := 0
		if b[0] != '\n' {
			end = bytes.IndexByte(b, '\n')
		}
		if end < 0 {
			c.takePart(b)
			return
		}
		if c.line.bytes > 0 {
			c.takePart(b[:end])
			c.endLine()
		} else {
			c.takeWhole(b[:end])
		}
		b = b[end+1:]
	}
}

// End says that the stream closed in good order. Not called when the transport failed.
func (c *Checker) End() {
	if c.stopped {
		return
	}
	rest := c.line.bytes > 0
	wasComplete := c.block.isComplete()
	c.block.cutOff = true
	c.endLine()
	switch b := &c.block; {
	case !rest && wasComplete:
		// Events are separated by two newlines; that something follows the last one is not said.
		b.whole = true
		c.observation(NoLastSeparator, "")
	case rest && !wasComplete && b.isWhole() && !c.done:
		b.whole = true
		if c.excused {
			c.violation(InvalidUTF8)
		}
		c.observation(NoLastSeparator, "")
	case rest || b.isEvent():
		c.violation(UnterminatedEvent)
	}
	c.endBlock()
	if !c.done {
		c.violation(NoDone)
	}
}

// Abandon says that nothing more is read of a stream although it did not end. Bytes after done stay a violation even if
// they make no line.
func (c *Checker) Abandon() {
	if !c.stopped && c.done && (c.line.bytes > 0 || c.block.open) {
		c.bytesAfterDone()
	}
}

func (c *Checker) violation(code Violation) {
	if c.done && code != SecondDone {
		c.bytesAfterDone()
		return
	}
	c.Violations[code]++
}

// bytesAfterDone: whatever follows done is one departure, whatever else is wrong with it.
func (c *Checker) bytesAfterDone() {
	if !c.tail {
		c.tail = true
		c.Violations[BytesAfterDone]++
	}
}

func (c *Checker) observation(code Observation, detail string) {
	if c.done || c.Observations[code] >= maxObservationDetails {
		return
	}
	if _, known := c.seen[code][detail]; known {
		return
	}
	if c.seen[code] == nil {
		c.seen[code] = make(map[string]struct{})
	}
	c.seen[code][detail] = struct{}{}
	c.Observations[code]++
}

func (c *Checker) stop(limit Limit) {
	c.stopped = true
	c.Limit = limit
}
