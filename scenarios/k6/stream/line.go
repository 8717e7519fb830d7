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

// line is the state of a line that arrives in pieces. Only its head is kept. A longer line is checked while it arrives.
type line struct {
	head  [headBytes]byte
	bytes int
	// The following fields are only used for lines longer than the head.
	text  utf8Reader
	cr    int
	colon bool
	json  bool
}

// text is a line without its carriage return. It contains only the head of a long line.
type text struct {
	bytes []byte
	// long is set if there are more bytes, which json has read.
	long bool
	// colon is set if it contains a colon.
	colon bool
}

// handleLine handles a line that is complete in memory.
func (c *Checker) handleLine(b []byte) {
	if len(b) > c.limits.MaxLineBytes {
		c.stop(LineTooLong)
		return
	}
	b = b[c.skipByteOrderMark(b):]
	if !utf8.Valid(b) {
		c.invalidUTF8(len(b) - invalidAt(b))
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		c.violation(CarriageReturn)
		if cr == len(b)-1 {
			// Usually CRLF. Dropping the CR avoids reporting one violation many times.
			b = b[:cr]
		}
	}
	c.handleText(text{bytes: b})
}

// skipByteOrderMark reports a byte order mark at the start of the stream and returns its length.
func (c *Checker) skipByteOrderMark(b []byte) int {
	if c.begun {
		return 0
	}
	c.begun = true
	if !bytes.HasPrefix(b, []byte(byteOrderMark)) {
		return 0
	}
	c.violation(ByteOrderMark)
	return len(byteOrderMark)
}

func (c *Checker) invalidUTF8(fromEnd int) {
	// A sequence cut by the end of the stream is not a mistake of the sender.
	if c.block.cutOff && fromEnd < utf8.UTFMax {
		c.mayBeCutOff = true
		return
	}
	c.violation(InvalidUTF8)
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
	l.cr, l.colon = -1, false
	value := 0
	if !c.begun && bytes.HasPrefix(head, []byte(byteOrderMark)) {
		value = len(byteOrderMark)
	}
	l.json = bytes.HasPrefix(head[value:], dataField) && c.block.wantsData() && !c.done
	if l.json {
		c.json.reset()
		value += len(dataField)
		if head[value] == ' ' {
			value++
		}
		c.json.feed(head[value:])
	}
	fed := l.json
	l.json = false
	c.feedLong(head)
	l.json = fed
}

func (c *Checker) feedLong(b []byte) {
	l := &c.line
	if l.cr < 0 {
		if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
			l.cr = l.bytes + cr
		}
	}
	l.colon = l.colon || bytes.IndexByte(b, ':') >= 0
	l.text.feed(b)
	if l.json {
		c.json.feed(b)
	}
	l.bytes += len(b)
}

// endLine ends a line that arrived in pieces.
func (c *Checker) endLine() {
	l := &c.line
	n := l.bytes
	l.bytes = 0
	if c.stopped || n == 0 {
		return
	}
	if n <= headBytes {
		c.handleLine(l.head[:n])
		return
	}
	skip := c.skipByteOrderMark(l.head[:])
	if at, valid := l.text.end(); !valid {
		c.invalidUTF8(n - at)
	}
	if l.cr >= 0 {
		c.violation(CarriageReturn)
	}
	c.handleText(text{bytes: l.head[skip:], long: true, colon: l.colon})
}
