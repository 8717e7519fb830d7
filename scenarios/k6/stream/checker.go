package stream

import "bytes"

// Limits bound the reading of one stream.
type Limits struct {
	// MaxLineBytes is the maximum length of a line without its line feed.
	MaxLineBytes int
	// MaxEvents is the maximum number of events, including malformed ones.
	MaxEvents int
}

// DefaultLimits are the limits of the TypeScript checker, plus a limit of a million events.
var DefaultLimits = Limits{MaxLineBytes: 64 << 20, MaxEvents: 1_000_000}

// Limit is a limit of Assay that a stream reached. It is never a violation.
type Limit uint8

// The limits.
const (
	NoLimit Limit = iota
	LineTooLong
	TooManyEvents
)

// maxObservationDetails limits the distinct details of an observation.
const maxObservationDetails = 50

// Never is the value of an absent time.
const Never int64 = -1

// Report is the state of a stream so far. Times are those passed to Feed with the bytes that completed the event.
type Report struct {
	Bytes int64
	// Events delivered to a client: those with both fields, up to the first done.
	Events  int
	ByName  [nameCount]int
	Matches int64
	// FirstMatch is the index of the first non-empty matches event among all events, or -1.
	FirstMatch   int
	Violations   [violationCount]int
	Observations [observationCount]int
	Limit        Limit
	FirstEventAt int64
	FirstMatchAt int64
	// DoneAt is the time of the blank line after the first done, or of the end of the stream without one.
	DoneAt int64
}

// ViolationCounts returns the violations by code. It returns nil if there are none.
func (r *Report) ViolationCounts() map[string]int {
	return countByName(r.Violations[:], func(i int) string { return violationNames[i] })
}

// ObservationCounts returns the number of distinct details of each observation by code. It returns nil if there are
// none.
func (r *Report) ObservationCounts() map[string]int {
	return countByName(r.Observations[:], func(i int) string { return observationNames[i] })
}

// EventCounts returns the number of events by name. It returns nil if there are none.
func (r *Report) EventCounts() map[string]int {
	return countByName(r.ByName[:], func(i int) string { return eventNames[i] })
}

func countByName(list []int, name func(int) string) map[string]int {
	var byName map[string]int
	for i, n := range list {
		if n == 0 {
			continue
		}
		if byName == nil {
			byName = make(map[string]int)
		}
		byName[name(i)] = n
	}
	return byName
}

// Checker checks one stream. Call Reset before the first use and before each further stream.
type Checker struct {
	Report

	limits          Limits
	line            line
	block           block
	json            jsonReader
	details         [observationCount]map[string]struct{}
	hasBegun        bool
	isDone          bool
	hasReportedTail bool
	isStopped       bool
	// mayBeCutOff is set if the last line is invalid UTF-8 so close to its end that the end of the stream may have split
	// a character.
	mayBeCutOff bool
	at          int64
}

// Reset prepares the checker for another stream and reuses its memory.
func (c *Checker) Reset(limits Limits) {
	c.json.reset()
	*c = Checker{
		Report: Report{FirstMatch: -1, FirstEventAt: Never, FirstMatchAt: Never, DoneAt: Never},
		limits: limits,
		json:   c.json,
	}
}

// Done reports whether the first done has ended with its blank line.
func (c *Checker) Done() bool { return c.isDone }

// Stopped reports whether a limit was reached. Nothing more is read then.
func (c *Checker) Stopped() bool { return c.isStopped }

// Feed processes the next bytes, which arrived at the given time. The caller may reuse the slice.
func (c *Checker) Feed(b []byte, at int64) {
	c.at = at
	c.Bytes += int64(len(b))
	for len(b) > 0 && !c.isStopped {
		// A third of all lines are blank, so test the byte before the search.
		end := 0
		if b[0] != '\n' {
			end = bytes.IndexByte(b, '\n')
		}
		if end < 0 {
			c.handlePart(b)
			return
		}
		if c.line.bytes > 0 {
			c.handlePart(b[:end])
			c.endLine()
		} else {
			c.handleLine(b[:end])
		}
		b = b[end+1:]
	}
}

// End ends the stream normally. It is not called after a transport failure.
func (c *Checker) End() {
	if c.isStopped {
		return
	}
	hasPartialLine := c.line.bytes > 0
	wasComplete := c.block.isComplete()
	c.block.isCutOff = true
	c.endLine()
	switch b := &c.block; {
	case !hasPartialLine && wasComplete:
		// Events are separated by two newlines, but nothing requires them after the last one.
		b.lacksOnlySeparator = true
		c.recordObservation(NoLastSeparator, "")
	case hasPartialLine && !wasComplete && b.hasValidEvent() && !c.isDone:
		b.lacksOnlySeparator = true
		if c.mayBeCutOff {
			c.recordViolation(InvalidUTF8)
		}
		c.recordObservation(NoLastSeparator, "")
	case hasPartialLine || b.isEvent():
		c.recordViolation(UnterminatedEvent)
	}
	c.endBlock()
	if !c.isDone {
		c.recordViolation(NoDone)
	}
}

// Abandon stops reading a stream that has not ended. Bytes after done remain a violation even without a complete line.
func (c *Checker) Abandon() {
	if !c.isStopped && c.isDone && (c.line.bytes > 0 || c.block.isOpen) {
		c.recordBytesAfterDone()
	}
}

func (c *Checker) recordViolation(code Violation) {
	if c.isDone && code != SecondDone {
		c.recordBytesAfterDone()
		return
	}
	c.Violations[code]++
}

// recordBytesAfterDone reports all content after done as a single violation, regardless of its other violations.
func (c *Checker) recordBytesAfterDone() {
	if !c.hasReportedTail {
		c.hasReportedTail = true
		c.Violations[BytesAfterDone]++
	}
}

func (c *Checker) recordObservation(code Observation, detail string) {
	if c.isDone || c.Observations[code] >= maxObservationDetails {
		return
	}
	if _, known := c.details[code][detail]; known {
		return
	}
	if c.details[code] == nil {
		c.details[code] = make(map[string]struct{})
	}
	c.details[code][detail] = struct{}{}
	c.Observations[code]++
}

func (c *Checker) stop(limit Limit) {
	c.isStopped = true
	c.Limit = limit
}
