package stream

import "bytes"

// block is the state of the event being read.
type block struct {
	// index is that of the event being read, or of the next one.
	index int
	// isOpen is set after its first line.
	isOpen          bool
	hasName         bool
	name            Name
	hasData         bool
	hasRepeatedData bool
	isDataFirst     bool
	// data is the content of the first data line.
	data data
	// isPending is set if the data came before the event name, which has not arrived yet.
	isPending bool
	// isNotJSON is reported only if the block ends without a second data line, which would explain it better.
	isNotJSON bool
	// isDelivered is set once a client would have received this event.
	isDelivered bool
	// isCutOff is set for the last line of a stream without a line feed.
	isCutOff bool
	// lacksOnlySeparator is set if only the blank line is missing and the stream ended there.
	lacksOnlySeparator bool
}

// data describes the data of an event.
type data struct {
	isValid       bool
	elementCount  int
	isEmptyObject bool
	isCutOff      bool
}

type field uint8

const (
	nameField field = iota
	valueField
)

func (b *block) isEvent() bool { return b.hasName || b.hasData }

// isComplete reports whether both fields were read.
func (b *block) isComplete() bool { return b.hasName && b.hasData }

// hasValidEvent reports whether a block is complete although its last line had no line feed.
func (b *block) hasValidEvent() bool {
	return b.isComplete() && b.data.isValid && (!b.isDataFirst || b.name != Other)
}

// startsNextEvent reports whether a complete block repeats its first field, so that the next event follows without a
// blank line.
func (b *block) startsNextEvent(f field) bool {
	return b.hasName && b.hasData && b.isDataFirst == (f == valueField)
}

// wantsData reports whether the next data line is the first one of its event.
func (b *block) wantsData() bool { return !b.hasData || b.startsNextEvent(valueField) }

// handleText handles a line without its line end.
func (c *Checker) handleText(t text) {
	switch {
	case len(t.bytes) == 0:
		// Without a line feed it is not a blank line: it contained only a carriage return or a byte order mark.
		if !c.block.isCutOff {
			c.handleBlankLine()
		}
	case bytes.HasPrefix(t.bytes, dataField):
		c.handleData(t)
	case bytes.HasPrefix(t.bytes, eventField):
		c.handleName(t)
	case !c.block.isCutOff:
		// A truncated line may be the start of any field.
		c.block.isOpen = true
		c.recordViolation(classifyLine(t))
	}
}

func (c *Checker) handleBlankLine() {
	if !c.block.isOpen {
		c.recordViolation(ExtraBlankLine)
		return
	}
	c.endBlock()
}

func (c *Checker) openBlock(f field) {
	if c.block.startsNextEvent(f) {
		c.recordViolation(MissingBlankLine)
		c.endBlock()
	}
	c.block.isOpen = true
}

func (c *Checker) handleName(t text) {
	c.openBlock(nameField)
	if c.block.hasName {
		c.recordViolation(RepeatedEvent)
		return
	}
	value := c.fieldValue(t, len(eventField))
	c.block.hasName = true
	c.block.name = c.parseName(value)
	if c.block.isPending {
		c.block.isPending = false
		c.recordObservation(FieldOrder, "")
		c.handleFrame()
	}
}

func (c *Checker) handleData(t text) {
	c.openBlock(valueField)
	if c.block.hasData {
		c.block.hasRepeatedData = true
		c.recordViolation(RepeatedData)
		return
	}
	c.block.hasData = true
	value := c.fieldValue(t, len(dataField))
	if !t.isLong && !c.isDone {
		c.json.reset()
		c.json.feed(value)
	}
	c.block.data = data{
		isValid:       c.json.end(),
		elementCount:  c.json.elementCount,
		isEmptyObject: c.json.isEmptyObject,
		isCutOff:      c.block.isCutOff,
	}
	if c.block.hasName {
		c.handleFrame()
		return
	}
	c.block.isDataFirst = true
	c.block.isPending = true
}

// fieldValue returns the value of a field, or its kept part.
func (c *Checker) fieldValue(t text, fieldBytes int) []byte {
	value := t.bytes[fieldBytes:]
	if len(value) > 0 && value[0] == ' ' {
		return value[1:]
	}
	c.recordObservation(NoSpaceAfterColon, "")
	return value
}

func (c *Checker) parseName(value []byte) Name {
	for name := Matches; name < Other; name++ {
		if string(value) == eventNames[name] {
			return name
		}
	}
	if len(value) == 0 {
		// The missing rest of a truncated line may have contained the name.
		if !c.block.isCutOff {
			c.recordViolation(EmptyEventName)
		}
		return Other
	}
	if !c.isDone {
		c.recordObservation(UnlistedEventName, decodeLossy(value[:min(len(value), maxNameBytes)]))
	}
	return Other
}

func classifyLine(t text) Violation {
	b := t.bytes
	switch colonIndex := bytes.IndexByte(b, ':'); {
	case colonIndex == 0:
		return Comment
	case colonIndex < 0 && !t.hasColon:
		return NotAField
	case colonIndex < 0:
		return ThirdField
	case string(b[:colonIndex]) == "id":
		return IDField
	case string(b[:colonIndex]) == "retry":
		return RetryField
	}
	return ThirdField
}

// handleFrame handles an event with both fields.
func (c *Checker) handleFrame() {
	b := &c.block
	if c.isDone {
		if b.name != Done {
			c.recordBytesAfterDone()
		}
		return
	}
	if !b.data.isValid {
		if b.data.isCutOff {
			return
		}
		b.isNotJSON = true
	} else if b.name == Done && !b.data.isEmptyObject {
		c.recordViolation(DoneNotEmpty)
	}
	c.deliver()
}

func (c *Checker) deliver() {
	b := &c.block
	b.isDelivered = true
	c.Events++
	c.ByName[b.name]++
	if b.hasMatches() {
		c.Matches += int64(b.data.elementCount)
		if c.FirstMatch < 0 {
			c.FirstMatch = b.index
		}
	}
}

func (b *block) hasMatches() bool {
	return b.isDelivered && b.name == Matches && b.data.isValid && b.data.elementCount > 0
}

// endBlock ends the open block, as a blank line does.
func (c *Checker) endBlock() {
	b := c.block
	if b.isEvent() && !b.isCutOff {
		if !b.hasName {
			c.recordViolation(MissingEvent)
		}
		if !b.hasData {
			c.recordViolation(MissingData)
		}
	}
	c.block = block{index: b.index, isCutOff: b.isCutOff}
	if !b.isEvent() {
		return
	}
	if b.isNotJSON && !b.hasRepeatedData {
		c.recordViolation(DataNotJSON)
	}
	if !b.isCutOff || b.lacksOnlySeparator {
		c.recordTime(&b)
	}
	if b.hasName && b.name == Done {
		c.endDone()
	}
	c.block.index++
	if c.block.index > c.limits.MaxEvents && !c.isDone {
		c.stop(TooManyEvents)
	}
}

// recordTime records the completion time of an event.
func (c *Checker) recordTime(b *block) {
	if b.isDelivered && c.FirstEventAt == Never {
		c.FirstEventAt = c.at
	}
	if b.hasMatches() && c.FirstMatchAt == Never {
		c.FirstMatchAt = c.at
	}
	if b.hasName && b.name == Done && !c.isDone {
		c.DoneAt = c.at
	}
}

func (c *Checker) endDone() {
	if c.isDone {
		c.recordViolation(SecondDone)
	}
	c.isDone = true
}
