package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"strconv"
	"strings"
	"unicode/utf16"
)

const (
	alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	letters  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	// digits has no zero, so that a number may begin with any of them.
	digits    = "123456789"
	tagLength = 6
	shortest  = 8
	// maxRemembered limits the cached replacements, of values up to maxRememberedLength.
	maxRemembered       = 1000
	maxRememberedLength = 4096
)

// replacements makes and recognises replacements of secrets.
type replacements struct {
	key     []byte
	numbers map[string]bool
	made    map[string]string
}

func newReplacements(key []byte) *replacements {
	return &replacements{key: key, numbers: map[string]bool{}, made: map[string]string{}}
}

func (r *replacements) mac(parts ...string) []byte {
	h := hmac.New(sha256.New, r.key)
	for _, part := range parts {
		h.Write([]byte(part))
	}
	return h.Sum(nil)
}

// characters of an alphabet from HMAC-SHA-256 in counter mode.
func (r *replacements) characters(seed, from string, length int) string {
	start := string(r.mac(strconv.Itoa(length), "\n", seed))
	text := make([]byte, 0, length+sha256.Size)
	for block := 0; len(text) < length; block++ {
		for _, b := range r.mac(start, strconv.Itoa(block)) {
			text = append(text, from[int(b)%len(from)])
		}
	}
	return string(text[:length])
}

func (r *replacements) tagged(body string) string {
	return body + r.characters("tag "+body, alphabet, tagLength)
}

// of returns length characters that depend only on the key, the value and the length; all x below eight.
func (r *replacements) of(value string, length int) string {
	if length < shortest {
		return strings.Repeat("x", length)
	}
	name := strconv.Itoa(length) + " " + value
	known, isKnown := r.made[name]
	if !isKnown {
		known = r.tagged(r.characters("value "+value, alphabet, length-tagLength))
	}
	if len(r.made) >= maxRemembered {
		clear(r.made)
	}
	if len(value) <= maxRememberedLength {
		r.made[name] = known
	}
	return known
}

// spelled replaces a value in plain spelling, with dots for the rest of a longer spelling.
func (r *replacements) spelled(value string, length int) string {
	own := units(value)
	if length < own || own < shortest {
		return r.of(value, length)
	}
	dots := strings.Repeat(".", length-own)
	if isOutsideStrings(value) {
		return r.ofNumber(value, value) + dots
	}
	return r.of(value, own) + dots
}

// ofNumber replaces digits by digits 1 to 9.
func (r *replacements) ofNumber(value, text string) string {
	chosen := r.characters("value "+value, digits, len(text))
	number := []byte(text)
	for at, b := range number {
		if isDigit(b) {
			number[at] = chosen[at]
		}
	}
	r.numbers[string(number)] = true
	return string(number)
}

// ofJSON replaces digits by digits and letters by letters, but for escapes and the words and exponents of JSON.
func (r *replacements) ofJSON(value, text string) string {
	chosenDigits := r.characters("value "+value, digits, len(text))
	chosenLetters := r.characters("value "+value, letters, len(text))
	b := []byte(text)
	for at := 0; at < len(b); {
		if kept := keptOfJSON(text, at); kept > 0 {
			at += kept
			continue
		}
		switch {
		case isDigit(b[at]):
			b[at] = chosenDigits[at]
		case isLetter(b[at]):
			b[at] = chosenLetters[at]
		}
		at++
	}
	return string(b)
}

// keptOfJSON returns the length of unchanged JSON at a place.
func keptOfJSON(text string, at int) int {
	rest := text[at:]
	switch b := rest[0]; b {
	case '\\':
		return escapeLength(rest)
	case 'e', 'E':
		if at > 0 && isDigit(text[at-1]) && len(rest) > 1 && (isDigit(rest[1]) || rest[1] == '-' || rest[1] == '+') {
			return 1
		}
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(rest, word) {
			return len(word)
		}
	}
	return 0
}

// escapeLength returns the length of the JSON escape at the start of a text; 0 for a lone backslash.
func escapeLength(text string) int {
	if len(text) >= 6 && text[1] == 'u' && hexRun(text, 2, 4) == 4 {
		return 6
	}
	if len(text) >= 2 {
		return 2
	}
	return 0
}

// isOne returns whether a text is a replacement, so that it is not replaced again.
func (r *replacements) isOne(text string) bool {
	if len(text) < shortest {
		return strings.Trim(text, "x") == ""
	}
	own := strings.TrimRight(text, ".")
	return r.numbers[text] || r.numbers[own] || r.isTagged(own)
}

func (r *replacements) isTagged(text string) bool {
	if len(text) <= 0 || strings.IndexFunc(text, func(c rune) bool { return c > 127 || !isAlnum(byte(c)) }) >= 0 {
		return false
	}
	body := text[:max(0, len(text)-tagLength)]
	return r.tagged(body) == text
}

// units returns the length of a text in UTF-16 units, as JavaScript counts.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

func isDigit(b byte) bool  { return b >= '0' && b <= '9' }
func isLetter(b byte) bool { return b|32 >= 'a' && b|32 <= 'z' }
func isAlnum(b byte) bool  { return isDigit(b) || isLetter(b) }
func isHex(b byte) bool    { return isDigit(b) || (b|32 >= 'a' && b|32 <= 'f') }

// hexRun counts hexadecimal digits from a place, up to a limit.
func hexRun(text string, at, most int) int {
	n := 0
	for n < most && at+n < len(text) && isHex(text[at+n]) {
		n++
	}
	return n
}
