package stream

import "unicode/utf8"

// utf8Reader finds the first invalid UTF-8 sequence in a line that arrives in pieces.
type utf8Reader struct {
	// carry is the beginning of an incomplete sequence.
	carry    [utf8.UTFMax]byte
	carried  int
	bytes    int
	firstBad int
	bad      bool
}

func (u *utf8Reader) reset() { *u = utf8Reader{} }

func (u *utf8Reader) feed(b []byte) {
	for u.carried > 0 && len(b) > 0 && !u.bad {
		u.carry[u.carried] = b[0]
		u.carried++
		u.bytes++
		b = b[1:]
		u.settleCarry()
	}
	if u.bad || len(b) == 0 {
		return
	}
	whole := len(b) - unfinished(b)
	if !utf8.Valid(b[:whole]) {
		u.bad, u.firstBad = true, u.bytes+invalidAt(b[:whole])
		return
	}
	u.carried = copy(u.carry[:], b[whole:])
	u.bytes += len(b)
}

func (u *utf8Reader) settleCarry() {
	carry := u.carry[:u.carried]
	if !utf8.FullRune(carry) {
		return
	}
	if !utf8.Valid(carry) {
		u.bad, u.firstBad = true, u.bytes-u.carried
	}
	u.carried = 0
}

// end reports whether all of it was UTF-8, and otherwise the offset of the first invalid sequence.
func (u *utf8Reader) end() (at int, valid bool) {
	if u.carried > 0 && !u.bad {
		u.bad, u.firstBad = true, u.bytes-u.carried
	}
	return u.firstBad, !u.bad
}

// unfinished returns the number of bytes at the end that start an incomplete sequence.
func unfinished(b []byte) int {
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

// shownText decodes bytes as browsers and Node do: each maximal invalid prefix becomes one replacement character. Both
// checkers treat names that look alike as one name.
func shownText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b)+8)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			size = brokenLength(b)
		}
		out = utf8.AppendRune(out, r)
		b = b[size:]
	}
	return string(out)
}

// brokenLength returns the number of bytes that one replacement character stands for.
func brokenLength(b []byte) int {
	n := 1
	for n < len(b) && !utf8.FullRune(b[:n+1]) {
		n++
	}
	return n
}
