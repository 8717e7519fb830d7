package stream

import (
	"bytes"
	"unicode/utf8"
)

const (
	byteOrderMark = "\xEF\xBB\xBF"
	// maxNameBytes limits the examined part of a name.
	maxNameBytes = 100
	// headBytes is the kept length of a line in pieces: the longest field with its space, and the examined part of its
	// value.
	headBytes = len(byteOrderMark) + len("event: ") + maxNameBytes
)

var (
	eventField = []byte("event:")
	dataField  = []byte("data:")
)

// line is the state of a line that arrives in pieces. It stores only the head. A longer line is checked as it arrives.
type line struct {
	head  [headBytes]byte
	bytes int
	// The following fields are only used for lines longer than the head.
	text     utf8Reader
	crOffset int
	hasColon bool
	isJSON   bool
}

// text is a line without its carriage return. It contains only the head of a long line.
type text struct {
	bytes []byte
	// isLong is set if there are more bytes, which json has read.
	isLong bool
	// hasColon is set if it contains a colon.
	hasColon bool
}

// handleLine handles a line that is complete in memory.
func (c *Checker) handleLine(b []byte) {
	if len(b) > c.limits.MaxLineBytes {
		c.stop(LineTooLong)
		return
	}
	b = b[c.skipByteOrderMark(b):]
	if !utf8.Valid(b) {
		c.reportInvalidUTF8(len(b) - invalidAt(b))
	}
	if crOffset := bytes.IndexByte(b, '\r'); crOffset >= 0 {
		c.recordViolation(CarriageReturn)
		if crOffset == len(b)-1 {
			// Usually CRLF. Dropping the CR avoids reporting one violation many times.
			b = b[:crOffset]
		}
	}
	c.handleText(text{bytes: b})
}

// skipByteOrderMark reports a byte order mark at the start of the stream and returns its length.
func (c *Checker) skipByteOrderMark(b []byte) int {
	if c.hasBegun {
		return 0
	}
	c.hasBegun = true
	if !bytes.HasPrefix(b, []byte(byteOrderMark)) {
		return 0
	}
	c.recordViolation(ByteOrderMark)
	return len(byteOrderMark)
}

func (c *Checker) reportInvalidUTF8(fromEnd int) {
	// A sequence cut by the end of the stream is not a mistake of the sender.
	if c.block.isCutOff && fromEnd < utf8.UTFMax {
		c.mayBeCutOff = true
		return
	}
	c.recordViolation(InvalidUTF8)
}

// handlePart handles a piece of an incomplete line.
func (c *Checker) handlePart(b []byte) {
	l := &c.line
	if len(b) > c.limits.MaxLineBytes-l.bytes {
		c.stop(LineTooLong)
		return
	}
	if l.bytes <= headBytes {
		n := copy(l.head[l.bytes:], b)
		l.bytes += n
		b = b[n:]
		if len(b) == 0 {
			return
		}
		c.startLong()
	}
	c.feedLong(b)
}

// startLong is called when a line exceeds its head.
func (c *Checker) startLong() {
	l := &c.line
	head := l.head[:]
	l.bytes = 0
	l.text.reset()
	l.crOffset, l.hasColon = -1, false
	valueStart := 0
	if !c.hasBegun && bytes.HasPrefix(head, []byte(byteOrderMark)) {
		valueStart = len(byteOrderMark)
	}
	l.isJSON = bytes.HasPrefix(head[valueStart:], dataField) && c.block.wantsData() && !c.isDone
	if l.isJSON {
		c.json.reset()
		valueStart += len(dataField)
		if head[valueStart] == ' ' {
			valueStart++
		}
		c.json.feed(head[valueStart:])
	}
	// The JSON reader already has its part of the head.
	isJSON := l.isJSON
	l.isJSON = false
	c.feedLong(head)
	l.isJSON = isJSON
}

func (c *Checker) feedLong(b []byte) {
	l := &c.line
	if l.crOffset < 0 {
		if crOffset := bytes.IndexByte(b, '\r'); crOffset >= 0 {
			l.crOffset = l.bytes + crOffset
		}
	}
	l.hasColon = l.hasColon || bytes.IndexByte(b, ':') >= 0
	l.text.feed(b)
	if l.isJSON {
		c.json.feed(b)
	}
	l.bytes += len(b)
}

// endLine ends a line that arrived in pieces.
func (c *Checker) endLine() {
	l := &c.line
	n := l.bytes
	l.bytes = 0
	if c.isStopped || n == 0 {
		return
	}
	if n <= headBytes {
		c.handleLine(l.head[:n])
		return
	}
	skippedBytes := c.skipByteOrderMark(l.head[:])
	if at, isValid := l.text.end(); !isValid {
		c.reportInvalidUTF8(n - at)
	}
	if l.crOffset >= 0 {
		c.recordViolation(CarriageReturn)
	}
	c.handleText(text{bytes: l.head[skippedBytes:], isLong: true, hasColon: l.hasColon})
}
