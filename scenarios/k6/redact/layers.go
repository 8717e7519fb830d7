package redact

import (
	"math/bits"
	"sort"
	"strconv"
	"strings"
)

// layer is a text with encodings taken off. source gives where a character of it came from; nil: nowhere else.
type layer struct {
	text   string
	source func(at int) int
	// isUntraced: nobody asks where characters came from.
	isUntraced bool
}

func (l *layer) from(at int) int {
	if l.source == nil {
		return at
	}
	return l.source(at)
}

// encodings says which are taken off.
type encodings uint8

const (
	// percentAlone: percent-encodings.
	percentAlone encodings = 1 << iota
	// entitiesAndEscapes: entities of HTML, escapes of JSON and of programs.
	entitiesAndEscapes
	// printableAlone: of the text of mails.
	printableAlone
	usual         = percentAlone | entitiesAndEscapes
	withPrintable = usual | printableAlone
)

const mostLayers = 4

// entityNames are tried in this order.
var entityNames = []struct{ name, character string }{
	{"amp", "&"}, {"apos", "'"}, {"ast", "*"}, {"bsol", "\\"}, {"colon", ":"}, {"comma", ","}, {"commat", "@"},
	{"dollar", "$"}, {"equals", "="}, {"excl", "!"}, {"grave", "`"}, {"gt", ">"}, {"hat", "^"}, {"lbrace", "{"},
	{"lbrack", "["}, {"lcub", "{"}, {"lowbar", "_"}, {"lpar", "("}, {"lsqb", "["}, {"lt", "<"}, {"midast", "*"},
	{"num", "#"}, {"percnt", "%"}, {"period", "."}, {"plus", "+"}, {"quest", "?"}, {"quot", "\""}, {"rbrace", "}"},
	{"rbrack", "]"}, {"rcub", "}"}, {"rpar", ")"}, {"rsqb", "]"}, {"semi", ";"}, {"sol", "/"}, {"underbar", "_"},
	{"verbar", "|"}, {"vert", "|"},
}

// begins says with which of the encodings a character may begin something encoded.
var begins = func() (table [256]encodings) {
	table['&'], table['\\'], table['%'], table['='] = entitiesAndEscapes, entitiesAndEscapes, percentAlone, printableAlone
	return
}()

// goesOn says whether something encoded, begun by the first of two characters, may go on with the second one; most do not.
var goesOn = func() (table [256][256]bool) {
	for b := range 256 {
		// Entities begin with a letter or #.
		table['&'][b] = b == '#'
		table['%'][b] = isHex(byte(b)) || b|32 == 'u'
		table['='][b] = isHex(byte(b)) || b == '\n' || b == '\r' || b == '\\'
		table['\\'][b] = b == '\\' || b|32 == 'x' || b|32 == 'u'
	}
	for _, entity := range entityNames {
		table['&'][entity.name[0]], table['&'][entity.name[0]-32] = true, true
	}
	return
}()

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainUntil is the place of the first character at or behind a place that may begin something of the usual encodings.
func plainUntil(text string, at int) int {
	for ; at+8 <= len(text); at += 8 {
		b := text[at : at+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		and, slash, percent := x^('&'*ones), x^('\\'*ones), x^('%'*ones)
		// The lowest bit that is set is exact; the ones above it may be borrowed.
		hit := ((and-ones)&^and | (slash-ones)&^slash | (percent-ones)&^percent) & highs
		if hit != 0 {
			return at + bits.TrailingZeros64(hit)>>3
		}
	}
	for at < len(text) && begins[text[at]]&usual == 0 {
		at++
	}
	return at
}

// next finds what is encoded at or behind a place: where, how long, and what it stands for.
func next(text string, at int, which encodings) (start, length int, meaning string) {
	for {
		if which&printableAlone == 0 {
			at = plainUntil(text, at)
		}
		// An encoded text has at least two characters.
		if at+1 >= len(text) {
			return len(text), 0, ""
		}
		if first := text[at]; begins[first]&which != 0 && goesOn[first][text[at+1]] {
			if length, meaning = decodeAt(text, at, which); length > 0 {
				return at, length, meaning
			}
		}
		at++
	}
}

func decodeAt(text string, at int, which encodings) (int, string) {
	switch text[at] {
	case '&':
		return entityAt(text, at)
	case '\\':
		return escapeAt(text, at)
	case '%':
		return percentAt(text, at)
	}
	return printableAt(text, at, which != printableAlone)
}

// run counts bytes that hold from a place.
func run(text string, at int, holds func(byte) bool) int {
	n := 0
	for at+n < len(text) && holds(text[at+n]) {
		n++
	}
	return n
}

// number takes up to 8 zeros and at most n more digits.
func number(text string, at, most int, holds func(byte) bool) int {
	all := run(text, at, holds)
	zeros := min(8, run(text, at, func(b byte) bool { return b == '0' }))
	return min(all, zeros+most)
}

func entityAt(text string, at int) (int, string) {
	end := func(length int) int {
		if at+length < len(text) && text[at+length] == ';' {
			return length + 1
		}
		return length
	}
	if at+1 < len(text) && text[at+1] == '#' {
		if at+2 < len(text) && text[at+2]|32 == 'x' {
			if n := number(text, at+3, 6, isHex); n > 0 {
				return end(3 + n), bytesOf(text[at+3:at+3+n], 16)
			}
			return 0, ""
		}
		if n := number(text, at+2, 7, isDigit); n > 0 {
			return end(2 + n), bytesOf(text[at+2:at+2+n], 10)
		}
		return 0, ""
	}
	for _, entity := range entityNames {
		if to := at + 1 + len(entity.name); to <= len(text) && strings.EqualFold(text[at+1:to], entity.name) {
			return end(1 + len(entity.name)), entity.character
		}
	}
	return 0, ""
}

// bytesOf is a character by its number.
func bytesOf(number string, base int) string {
	point, err := strconv.ParseUint(number, base, 32)
	if err != nil || point > 0x10ffff {
		return ""
	}
	return string(rune(point))
}

func escapeAt(text string, at int) (int, string) {
	slashes := run(text[:min(len(text), at+9)], at, func(b byte) bool { return b == '\\' })
	letter := at + slashes
	if slashes > 8 || letter >= len(text) {
		return 0, ""
	}
	switch text[letter] | 32 {
	case 'x':
		if hexRun(text, letter+1, 2) == 2 {
			return slashes + 3, byteOf(text[letter+1 : letter+3])
		}
	case 'u':
		if letter+1 < len(text) && text[letter+1] == '{' {
			all := run(text, letter+2, isHex)
			zeros := min(8, run(text, letter+2, func(b byte) bool { return b == '0' }))
			if close := letter + 2 + all; all > 0 && all-zeros <= 6 && close < len(text) && text[close] == '}' {
				return slashes + 3 + all, bytesOf(text[letter+2:close], 16)
			}
			return 0, ""
		}
		if hexRun(text, letter+1, 4) == 4 {
			return slashes + 5, bytesOf(text[letter+1:letter+5], 16)
		}
	}
	return 0, ""
}

// byteOf is a byte by its two digits.
func byteOf(hex string) string {
	value, _ := strconv.ParseUint(hex, 16, 8)
	return string([]byte{byte(value)})
}

func percentAt(text string, at int) (int, string) {
	layers := 0
	for layers < 3 && strings.HasPrefix(text[at+1+2*layers:], "25") {
		layers++
	}
	for ; layers >= 0; layers-- {
		from := at + 1 + 2*layers
		if from < len(text) && text[from]|32 == 'u' && hexRun(text, from+1, 4) == 4 {
			return from + 5 - at, bytesOf(text[from+1:from+5], 16)
		}
		if hexRun(text, from, 2) == 2 {
			return from + 2 - at, byteOf(text[from : from+2])
		}
	}
	return 0, ""
}

// printableAt takes quoted-printable; a line that breaks is nothing. In either case of its letters where others are
// taken off beside it.
func printableAt(text string, at int, anyCase bool) (int, string) {
	is := func(place int, letter byte) bool {
		return place < len(text) && (text[place] == letter || (anyCase && text[place] == letter-32))
	}
	slashes := func(place int) int { return run(text, place, func(b byte) bool { return b == '\\' }) }
	from := at + 1
	if strings.HasPrefix(text[from:], "\n") {
		return 2, ""
	}
	if strings.HasPrefix(text[from:], "\r\n") {
		return 3, ""
	}
	if n := slashes(from); n >= 1 && n <= 8 {
		behind := from + n
		if more := slashes(behind + 1); is(behind, 'r') && more >= 1 && more <= 8 {
			behind += 1 + more
		}
		if is(behind, 'n') {
			if text[behind] == 'N' {
				// As the other one takes it, who reads it as a number.
				return behind + 1 - at, "\x00"
			}
			return behind + 1 - at, ""
		}
	}
	if hexRun(text, from, 2) == 2 {
		return 3, byteOf(text[from : from+2])
	}
	return 0, ""
}

// decodeOnce takes one encoding off; false where there is none.
func decodeOnce(given layer, which encodings) (layer, bool) {
	text := given.text
	at, length, meaning := next(text, 0, which)
	if length == 0 {
		return given, false
	}
	var decoded strings.Builder
	decoded.Grow(len(text))
	starts, froms := []int{0}, []int{0}
	read := 0
	for ; length > 0; at, length, meaning = next(text, read, which) {
		decoded.WriteString(text[read:at])
		before := decoded.Len()
		decoded.WriteString(meaning)
		read = at + length
		if !given.isUntraced {
			starts, froms = append(starts, before, decoded.Len()), append(froms, at, read)
		}
	}
	decoded.WriteString(text[read:])
	if given.isUntraced {
		return layer{text: decoded.String(), isUntraced: true}, true
	}
	source := func(at int) int {
		low := sort.Search(len(starts), func(i int) bool { return starts[i] > at }) - 1
		return given.from(froms[low] + at - starts[low])
	}
	return layer{text: decoded.String(), source: source}, true
}

// below gives the layers below one, one encoding less each.
func below(given layer, which encodings) []layer {
	var found []layer
	for range mostLayers {
		lower, ok := decodeOnce(given, which)
		if !ok || len(lower.text) == len(given.text) {
			break
		}
		found = append(found, lower)
		given = lower
	}
	return found
}

// decodedLayers are what a text says once encodings are taken off, up to four times, in any mixture.
func decodedLayers(given layer) []layer {
	found := below(given, usual)
	isPrintable := hasPrintable(given.text)
	for _, lower := range found {
		isPrintable = isPrintable || hasPrintable(lower.text)
	}
	if isCutByPercent(given.text) {
		// An entity without its semicolon ends where one of its digits is encoded itself.
		first, _ := decodeOnce(given, percentAlone)
		found = append(append(found, first), below(first, usual)...)
	}
	if isPrintable {
		// A line may break in the middle of another encoding.
		first, _ := decodeOnce(given, printableAlone)
		found = append(append(found, first), below(first, withPrintable)...)
	}
	return found
}

func hasPrintable(text string) bool {
	return eachByte(text, '=', func(at int) bool {
		length, _ := printableAt(text, at, false)
		return length > 0
	})
}

// isCutByPercent: an entity or an escape that a percent-encoding goes on.
func isCutByPercent(text string) bool {
	for at := 0; at < len(text); at++ {
		place := strings.IndexByte(text[at:], '%')
		if place < 0 {
			return false
		}
		at += place
		for back := at - 1; back >= max(0, at-13); back-- {
			b := text[back]
			if b == '&' || b == '\\' {
				return true
			}
			if !isAlnum(b) && b != '_' && b != '#' && b != '{' {
				break
			}
		}
	}
	return false
}
