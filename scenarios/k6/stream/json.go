package stream

import (
	"encoding/binary"
	"math/bits"
)

// jsonReader accepts exactly the texts that JSON.parse accepts (RFC 8259, with lone surrogates in escapes, repeated
// names and any depth), in any pieces. Inside strings it accepts bytes above 127; UTF-8 is checked separately. It keeps
// one bit for each open array or object.
type jsonReader struct {
	state jsonState
	// isKey is set if the string is the name of a member.
	isKey bool
	// literal is the rest of true, false or null.
	literal string
	depth   int
	// isObject is set if the innermost open value is an object.
	isObject bool
	// containerBits has a bit for each open level, set for an object.
	containerBits []uint64
	// elementCount is the number of elements of the outermost array.
	elementCount int
	// isEmptyObject is set if the outermost value is {}.
	isEmptyObject bool
}

type jsonState uint8

const (
	jsonValue jsonState = iota
	jsonFirstValue
	jsonKey
	jsonFirstKey
	jsonColon
	jsonAfterValue
	jsonEnd
	jsonString
	jsonEscape
	jsonHex4
	jsonHex3
	jsonHex2
	jsonHex1
	jsonLiteral
	jsonMinus
	jsonZero
	jsonDigits
	jsonPoint
	jsonFraction
	jsonExponent
	jsonExponentSign
	jsonExponentDigits
	jsonFailed
)

// class is the kind of a byte in a string or between values.
type class uint8

const (
	isSpace class = 1 << iota
	isDigit
	isHex
	isEscapable
	// endsRun: a quote, a backslash or a control character. Each ends a run of plain bytes in a string.
	endsRun
)

var classes = func() (table [256]class) {
	for _, c := range " \t\n\r" {
		table[c] |= isSpace
	}
	for _, c := range "0123456789" {
		table[c] |= isDigit | isHex
	}
	for _, c := range "abcdefABCDEF" {
		table[c] |= isHex
	}
	for _, c := range `"\/bfnrtu` {
		table[c] |= isEscapable
	}
	for c := range 0x20 {
		table[c] |= endsRun
	}
	table['"'] |= endsRun
	table['\\'] |= endsRun
	return table
}()

// reset prepares the reader for the next text.
func (r *jsonReader) reset() {
	*r = jsonReader{containerBits: r.containerBits[:0]}
}

// end reports whether the input is one JSON text.
func (r *jsonReader) end() bool {
	switch r.state {
	case jsonEnd:
		return true
	case jsonZero, jsonDigits, jsonFraction, jsonExponentDigits:
		return r.depth == 0
	default:
		return false
	}
}

// feed processes the next piece. Its speed determines the speed of checking. Therefore it handles the most frequent
// bytes, those in strings and between values, itself, with local variables and several bytes at a time.
func (r *jsonReader) feed(b []byte) {
	state, isKey, isObject := r.state, r.isKey, r.isObject
	for i := 0; i < len(b); {
		c := b[i]
		switch state {
		case jsonString:
			if i = plainRun(b, i); i == len(b) {
				continue
			}
			c = b[i]
			i++
			switch {
			case c == '\\':
				state = jsonEscape
			case c != '"':
				state = jsonFailed
			case !isKey:
				state = r.afterScalar()
			case i < len(b) && b[i] == ':':
				i++
				state = jsonValue
			default:
				state = jsonColon
			}
		case jsonAfterValue:
			i++
			switch {
			case c == ',' && !isObject:
				state = jsonValue
			case c == ',' && i < len(b) && b[i] == '"':
				i++
				isKey, state = true, jsonString
			case c == ',':
				state = jsonKey
			case c == '}' && isObject, c == ']' && !isObject:
				state, isObject = r.close()
			case classes[c]&isSpace == 0:
				state = jsonFailed
			}
		case jsonFirstValue, jsonValue:
			i++
			if c == ']' && state == jsonFirstValue {
				state, isObject = r.close()
				continue
			}
			if classes[c]&isSpace != 0 {
				continue
			}
			if r.depth == 1 && !isObject {
				r.elementCount++
			}
			switch c {
			case '"':
				isKey, state = false, jsonString
			case '{':
				r.enter(1)
				isObject, state = true, jsonFirstKey
			case '[':
				r.enter(0)
				isObject, state = false, jsonFirstValue
			default:
				state = r.startScalar(c)
			}
		case jsonFirstKey, jsonKey:
			i++
			switch {
			case c == '"':
				isKey, state = true, jsonString
			case c == '}' && state == jsonFirstKey:
				r.isEmptyObject = r.depth == 1
				state, isObject = r.close()
			case classes[c]&isSpace == 0:
				state = jsonFailed
			}
		case jsonDigits:
			for i < len(b) && classes[b[i]]&isDigit != 0 {
				i++
			}
			if i < len(b) {
				var consumed int
				state, consumed = r.number(state, b[i])
				i += consumed
			}
		case jsonColon:
			i++
			if c == ':' {
				state = jsonValue
			} else if classes[c]&isSpace == 0 {
				state = jsonFailed
			}
		case jsonEnd:
			i++
			if classes[c]&isSpace == 0 {
				state = jsonFailed
			}
		case jsonFailed:
			i = len(b)
		default:
			var consumed int
			state, consumed = r.feedToken(state, c)
			i += consumed
		}
	}
	r.state, r.isKey, r.isObject = state, isKey, isObject
}

// startScalar handles the first byte of a number or a literal.
func (r *jsonReader) startScalar(c byte) jsonState {
	switch {
	case c == '-':
		return jsonMinus
	case c == '0':
		return jsonZero
	case classes[c]&isDigit != 0:
		return jsonDigits
	case c == 't':
		r.literal = "rue"
	case c == 'f':
		r.literal = "alse"
	case c == 'n':
		r.literal = "ull"
	default:
		return jsonFailed
	}
	return jsonLiteral
}

// enter opens an array (0) or an object (1).
func (r *jsonReader) enter(objectBit uint64) {
	word, bit := r.depth>>6, uint(r.depth&63)
	if word == len(r.containerBits) {
		r.containerBits = append(r.containerBits, 0)
	}
	r.containerBits[word] = r.containerBits[word]&^(1<<bit) | objectBit<<bit
	r.depth++
}

// close ends the innermost array or object. It returns the next state and whether the enclosing value is an object.
func (r *jsonReader) close() (jsonState, bool) {
	r.depth--
	if r.depth == 0 {
		return jsonEnd, false
	}
	at := r.depth - 1
	return jsonAfterValue, r.containerBits[at>>6]>>uint(at&63)&1 == 1
}

// afterScalar returns the state after a string, number or literal.
func (r *jsonReader) afterScalar() jsonState {
	if r.depth == 0 {
		return jsonEnd
	}
	return jsonAfterValue
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainRun returns the index of the first byte from i that ends a run of plain bytes, or the length.
func plainRun(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote := x ^ ('"' * ones)
		slash := x ^ ('\\' * ones)
		// The lowest set bit is exact. Higher ones may result from a borrow.
		matchBits := ((quote-ones)&^quote | (slash-ones)&^slash | (x-0x20*ones)&^x) & highs
		if matchBits != 0 {
			return i + bits.TrailingZeros64(matchBits)>>3
		}
	}
	for ; i < len(b); i++ {
		if classes[b[i]]&endsRun != 0 {
			return i
		}
	}
	return i
}

// feedToken handles a byte inside an escape, a literal or a number. It returns how many bytes it consumed: 0 for the
// byte after a number, otherwise 1.
func (r *jsonReader) feedToken(state jsonState, c byte) (jsonState, int) {
	switch state {
	case jsonEscape:
		if c == 'u' {
			return jsonHex4, 1
		}
		return stateIf(classes[c]&isEscapable != 0, jsonString), 1
	case jsonHex4, jsonHex3, jsonHex2:
		return stateIf(classes[c]&isHex != 0, state+1), 1
	case jsonHex1:
		return stateIf(classes[c]&isHex != 0, jsonString), 1
	case jsonLiteral:
		return r.readLiteral(c), 1
	default:
		return r.number(state, c)
	}
}

// stateIf returns the state if ok is true, otherwise jsonFailed.
func stateIf(ok bool, state jsonState) jsonState {
	if ok {
		return state
	}
	return jsonFailed
}

func (r *jsonReader) readLiteral(c byte) jsonState {
	if c != r.literal[0] {
		return jsonFailed
	}
	r.literal = r.literal[1:]
	if r.literal != "" {
		return jsonLiteral
	}
	return r.afterScalar()
}

// number handles a byte of a number, or ends the number before it.
func (r *jsonReader) number(state jsonState, c byte) (jsonState, int) {
	isDecimal := classes[c]&isDigit != 0
	switch state {
	case jsonMinus:
		if c == '0' {
			return jsonZero, 1
		}
		return stateIf(isDecimal, jsonDigits), 1
	case jsonPoint:
		return stateIf(isDecimal, jsonFraction), 1
	case jsonExponent:
		if c == '+' || c == '-' {
			return jsonExponentSign, 1
		}
		return stateIf(isDecimal, jsonExponentDigits), 1
	case jsonExponentSign:
		return stateIf(isDecimal, jsonExponentDigits), 1
	}
	switch {
	case isDecimal && state != jsonZero:
		return state, 1
	case c == '.' && (state == jsonZero || state == jsonDigits):
		return jsonPoint, 1
	case (c == 'e' || c == 'E') && state != jsonExponentDigits:
		return jsonExponent, 1
	}
	return r.afterScalar(), 0
}
