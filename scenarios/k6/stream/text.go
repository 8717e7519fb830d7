package stream

import "unicode/utf8"

// utf8Reader finds the first invalid UTF-8 sequence in a line that arrives in pieces.
type utf8Reader struct {
	// carry is the beginning of an incomplete sequence.
	carry        [utf8.UTFMax]byte
	carriedBytes int
	bytes        int
	firstInvalid int
	isInvalid    bool
}

func (u *utf8Reader) reset() { *u = utf8Reader{} }

func (u *utf8Reader) feed(b []byte) {
	for u.carriedBytes > 0 && len(b) > 0 && !u.isInvalid {
		u.carry[u.carriedBytes] = b[0]
		u.carriedBytes++
		u.bytes++
		b = b[1:]
		u.settleCarry()
	}
	if u.isInvalid || len(b) == 0 {
		return
	}
	completeLength := len(b) - incompleteTail(b)
	if !utf8.Valid(b[:completeLength]) {
		u.isInvalid, u.firstInvalid = true, u.bytes+invalidAt(b[:completeLength])
		return
	}
	u.carriedBytes = copy(u.carry[:], b[completeLength:])
	u.bytes += len(b)
}

func (u *utf8Reader) settleCarry() {
	carry := u.carry[:u.carriedBytes]
	if !utf8.FullRune(carry) {
		return
	}
	if !utf8.Valid(carry) {
		u.isInvalid, u.firstInvalid = true, u.bytes-u.carriedBytes
	}
	u.carriedBytes = 0
}

// end reports whether the whole line was UTF-8. If not, it also returns the offset of the first invalid sequence.
func (u *utf8Reader) end() (at int, isValid bool) {
	if u.carriedBytes > 0 && !u.isInvalid {
		u.isInvalid, u.firstInvalid = true, u.bytes-u.carriedBytes
	}
	return u.firstInvalid, !u.isInvalid
}

// incompleteTail returns the number of bytes at the end that start an incomplete sequence.
func incompleteTail(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// invalidAt returns the offset of the first invalid sequence, or the length.
func invalidAt(b []byte) int {
	at := 0
	for at < len(b) {
		r, size := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// decodeLossy decodes bytes as browsers and Node do: each maximal invalid prefix becomes one replacement character.
// Thus both checkers treat the same names as equal.
func decodeLossy(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b)+8)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			size = invalidPrefixLength(b)
		}
		out = utf8.AppendRune(out, r)
		b = b[size:]
	}
	return string(out)
}

// invalidPrefixLength returns the number of bytes that one replacement character replaces.
func invalidPrefixLength(b []byte) int {
	n := 1
	for n < len(b) && !utf8.FullRune(b[:n+1]) {
		n++
	}
	return n
}
