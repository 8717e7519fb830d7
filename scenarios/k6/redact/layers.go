package redact

import (
	"math/bits"
	"sort"
	"strconv"
	"strings"
)

// layer is a text after some of its encodings were removed. source maps an index in text to its index in the original
// text. It is nil for the original text itself.
type layer struct {
	text   string
	source func(at int) int
	// isUntraced is set if the caller does not need source indexes.
	isUntraced bool
}

func (l *layer) sourceIndex(at int) int {
	if l.source == nil {
		return at
	}
	return l.source(at)
}

// encodings is a set of encodings to decode.
type encodings uint8

const (
	percentEncoding encodings = 1 << iota
	// entitiesAndEscapes are HTML entities and the escapes of JSON and of programming languages.
	entitiesAndEscapes
	// quotedPrintable is the encoding of MIME messages.
	quotedPrintable
	commonEncodings = percentEncoding | entitiesAndEscapes
	allEncodings    = commonEncodings | quotedPrintable
)

const maxLayers = 4

// entityNames lists the supported HTML entities. They are tried in this order.
var entityNames = []struct{ name, character string }{
	{"amp", "&"}, {"apos", "'"}, {"ast", "*"}, {"bsol", "\\"}, {"colon", ":"}, {"comma", ","}, {"commat", "@"},
	{"dollar", "$"}, {"equals", "="}, {"excl", "!"}, {"grave", "`"}, {"gt", ">"}, {"hat", "^"}, {"lbrace", "{"},
	{"lbrack", "["}, {"lcub", "{"}, {"lowbar", "_"}, {"lpar", "("}, {"lsqb", "["}, {"lt", "<"}, {"midast", "*"},
	{"num", "#"}, {"percnt", "%"}, {"period", "."}, {"plus", "+"}, {"quest", "?"}, {"quot", "\""}, {"rbrace", "}"},
	{"rbrack", "]"}, {"rcub", "}"}, {"rpar", ")"}, {"rsqb", "]"}, {"semi", ";"}, {"sol", "/"}, {"underbar", "_"},
	{"verbar", "|"}, {"vert", "|"},
}

// firstBytes maps a byte to the encodings in which it may start an encoded sequence.
var firstBytes = func() (table [256]encodings) {
	table['&'], table['\\'], table['%'], table['='] = entitiesAndEscapes, entitiesAndEscapes, percentEncoding, quotedPrintable
	return
}()

// secondBytes reports whether the second byte may follow the first in an encoded sequence. Most pairs cannot.
var secondBytes = func() (table [256][256]bool) {
	for b := range 256 {
		// An entity starts with a letter or #.
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

// skipPlain returns the index of the first byte, from at on, that may start an entity, an escape or a percent-encoding.
func skipPlain(text string, at int) int {
	for ; at+8 <= len(text); at += 8 {
		b := text[at : at+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		and, slash, percent := x^('&'*ones), x^('\\'*ones), x^('%'*ones)
		// The lowest set bit is exact. Higher ones may result from a borrow.
		matchBits := ((and-ones)&^and | (slash-ones)&^slash | (percent-ones)&^percent) & highs
		if matchBits != 0 {
			return at + bits.TrailingZeros64(matchBits)>>3
		}
	}
	for at < len(text) && firstBytes[text[at]]&commonEncodings == 0 {
		at++
	}
	return at
}

// nextEncoded finds the first encoded sequence from at on. It returns the start and length of the sequence and its
// decoded text. The length is 0 if there is none.
func nextEncoded(text string, at int, enabled encodings) (start, length int, meaning string) {
	for {
		if enabled&quotedPrintable == 0 {
			at = skipPlain(text, at)
		}
		// An encoded sequence has at least two bytes.
		if at+1 >= len(text) {
			return len(text), 0, ""
		}
		if first := text[at]; firstBytes[first]&enabled != 0 && secondBytes[first][text[at+1]] {
			if length, meaning = decodeAt(text, at, enabled); length > 0 {
				return at, length, meaning
			}
		}
		at++
	}
}

func decodeAt(text string, at int, enabled encodings) (int, string) {
	switch text[at] {
	case '&':
		return decodeEntity(text, at)
	case '\\':
		return decodeEscape(text, at)
	case '%':
		return decodePercent(text, at)
	}
	return decodeQuotedPrintable(text, at, enabled != quotedPrintable)
}

// countWhile returns the number of consecutive bytes, from at, that accepts allows.
func countWhile(text string, at int, accepts func(byte) bool) int {
	n := 0
	for at+n < len(text) && accepts(text[at+n]) {
		n++
	}
	return n
}

// countDigits returns the number of digits from at: up to 8 leading zeros and at most limit other digits.
func countDigits(text string, at, limit int, accepts func(byte) bool) int {
	digitCount := countWhile(text, at, accepts)
	zeros := min(8, countWhile(text, at, func(b byte) bool { return b == '0' }))
	return min(digitCount, zeros+limit)
}

func decodeEntity(text string, at int) (int, string) {
	end := func(length int) int {
		if at+length < len(text) && text[at+length] == ';' {
			return length + 1
		}
		return length
	}
	if at+1 < len(text) && text[at+1] == '#' {
		if at+2 < len(text) && text[at+2]|32 == 'x' {
			if n := countDigits(text, at+3, 6, isHex); n > 0 {
				return end(3 + n), decodeCodePoint(text[at+3:at+3+n], 16)
			}
			return 0, ""
		}
		if n := countDigits(text, at+2, 7, isDigit); n > 0 {
			return end(2 + n), decodeCodePoint(text[at+2:at+2+n], 10)
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

// decodeCodePoint returns the character with the given code point. It returns "" for an invalid one.
func decodeCodePoint(digits string, base int) string {
	codePoint, err := strconv.ParseUint(digits, base, 32)
	if err != nil || codePoint > 0x10ffff {
		return ""
	}
	return string(rune(codePoint))
}

func decodeEscape(text string, at int) (int, string) {
	slashes := countWhile(text[:min(len(text), at+9)], at, func(b byte) bool { return b == '\\' })
	letter := at + slashes
	if slashes > 8 || letter >= len(text) {
		return 0, ""
	}
	switch text[letter] | 32 {
	case 'x':
		if hexRun(text, letter+1, 2) == 2 {
			return slashes + 3, decodeHexByte(text[letter+1 : letter+3])
		}
	case 'u':
		if letter+1 < len(text) && text[letter+1] == '{' {
			digitCount := countWhile(text, letter+2, isHex)
			zeros := min(8, countWhile(text, letter+2, func(b byte) bool { return b == '0' }))
			if close := letter + 2 + digitCount; digitCount > 0 && digitCount-zeros <= 6 && close < len(text) && text[close] == '}' {
				return slashes + 3 + digitCount, decodeCodePoint(text[letter+2:close], 16)
			}
			return 0, ""
		}
		if hexRun(text, letter+1, 4) == 4 {
			return slashes + 5, decodeCodePoint(text[letter+1:letter+5], 16)
		}
	}
	return 0, ""
}

// decodeHexByte returns the byte with the given two hexadecimal digits.
func decodeHexByte(hex string) string {
	value, _ := strconv.ParseUint(hex, 16, 8)
	return string([]byte{byte(value)})
}

func decodePercent(text string, at int) (int, string) {
	layers := 0
	for layers < 3 && strings.HasPrefix(text[at+1+2*layers:], "25") {
		layers++
	}
	for ; layers >= 0; layers-- {
		from := at + 1 + 2*layers
		if from < len(text) && text[from]|32 == 'u' && hexRun(text, from+1, 4) == 4 {
			return from + 5 - at, decodeCodePoint(text[from+1:from+5], 16)
		}
		if hexRun(text, from, 2) == 2 {
			return from + 2 - at, decodeHexByte(text[from : from+2])
		}
	}
	return 0, ""
}

// decodeQuotedPrintable decodes a quoted-printable sequence. A soft line break decodes to "". ignoreCase also accepts
// upper-case \R and \N, because other encodings of the same layer may be case-insensitive.
func decodeQuotedPrintable(text string, at int, ignoreCase bool) (int, string) {
	isLetterAt := func(index int, letter byte) bool {
		return index < len(text) && (text[index] == letter || (ignoreCase && text[index] == letter-32))
	}
	countBackslashes := func(index int) int { return countWhile(text, index, func(b byte) bool { return b == '\\' }) }
	from := at + 1
	if strings.HasPrefix(text[from:], "\n") {
		return 2, ""
	}
	if strings.HasPrefix(text[from:], "\r\n") {
		return 3, ""
	}
	if n := countBackslashes(from); n >= 1 && n <= 8 {
		end := from + n
		if secondCount := countBackslashes(end + 1); isLetterAt(end, 'r') && secondCount >= 1 && secondCount <= 8 {
			end += 1 + secondCount
		}
		if isLetterAt(end, 'n') {
			if text[end] == 'N' {
				// The decoder in TypeScript reads this as a number.
				return end + 1 - at, "\x00"
			}
			return end + 1 - at, ""
		}
	}
	if hexRun(text, from, 2) == 2 {
		return 3, decodeHexByte(text[from : from+2])
	}
	return 0, ""
}

// decodeOnce removes one level of the enabled encodings. It returns false if the text contains none.
func decodeOnce(outer layer, enabled encodings) (layer, bool) {
	text := outer.text
	at, length, meaning := nextEncoded(text, 0, enabled)
	if length == 0 {
		return outer, false
	}
	var decoded strings.Builder
	decoded.Grow(len(text))
	starts, sources := []int{0}, []int{0}
	decodedUntil := 0
	for ; length > 0; at, length, meaning = nextEncoded(text, decodedUntil, enabled) {
		decoded.WriteString(text[decodedUntil:at])
		before := decoded.Len()
		decoded.WriteString(meaning)
		decodedUntil = at + length
		if !outer.isUntraced {
			starts, sources = append(starts, before, decoded.Len()), append(sources, at, decodedUntil)
		}
	}
	decoded.WriteString(text[decodedUntil:])
	if outer.isUntraced {
		return layer{text: decoded.String(), isUntraced: true}, true
	}
	source := func(at int) int {
		low := sort.Search(len(starts), func(i int) bool { return starts[i] > at }) - 1
		return outer.sourceIndex(sources[low] + at - starts[low])
	}
	return layer{text: decoded.String(), source: source}, true
}

// decodeRepeatedly removes one level of encoding at a time and returns every intermediate layer.
func decodeRepeatedly(outer layer, enabled encodings) []layer {
	var layers []layer
	for range maxLayers {
		inner, ok := decodeOnce(outer, enabled)
		if !ok || len(inner.text) == len(outer.text) {
			break
		}
		layers = append(layers, inner)
		outer = inner
	}
	return layers
}

// decodeLayers returns the text after each of up to maxLayers levels of mixed encodings was removed.
func decodeLayers(outer layer) []layer {
	layers := decodeRepeatedly(outer, commonEncodings)
	mayBeQuotedPrintable := hasQuotedPrintable(outer.text)
	for _, inner := range layers {
		mayBeQuotedPrintable = mayBeQuotedPrintable || hasQuotedPrintable(inner.text)
	}
	if hasInnerPercent(outer.text) {
		// An entity without a semicolon ends early if one of its digits is itself percent-encoded.
		firstLayer, _ := decodeOnce(outer, percentEncoding)
		layers = append(append(layers, firstLayer), decodeRepeatedly(firstLayer, commonEncodings)...)
	}
	if mayBeQuotedPrintable {
		// A soft line break may split another encoded sequence.
		firstLayer, _ := decodeOnce(outer, quotedPrintable)
		layers = append(append(layers, firstLayer), decodeRepeatedly(firstLayer, allEncodings)...)
	}
	return layers
}

func hasQuotedPrintable(text string) bool {
	return anyIndex(text, '=', func(at int) bool {
		length, _ := decodeQuotedPrintable(text, at, false)
		return length > 0
	})
}

// hasInnerPercent reports whether a percent-encoding may continue an entity or an escape.
func hasInnerPercent(text string) bool {
	for at := 0; at < len(text); at++ {
		offset := strings.IndexByte(text[at:], '%')
		if offset < 0 {
			return false
		}
		at += offset
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
