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
	// digits excludes zero, so that a number may start with any of them.
	digits    = "123456789"
	tagLength = 6
	minLength = 8
	// maxRemembered limits the number of cached replacements. Values longer than maxRememberedLength are not cached.
	maxRemembered       = 1000
	maxRememberedLength = 4096
)

// replacements creates and recognises replacements of secrets.
type replacements struct {
	key     []byte
	numbers map[string]bool
	cache   map[string]string
}

func newReplacements(key []byte) *replacements {
	return &replacements{key: key, numbers: map[string]bool{}, cache: map[string]string{}}
}

func (r *replacements) computeMAC(parts ...string) []byte {
	h := hmac.New(sha256.New, r.key)
	for _, part := range parts {
		h.Write([]byte(part))
	}
	return h.Sum(nil)
}

// derive returns length characters of an alphabet, from HMAC-SHA-256 in counter mode.
func (r *replacements) derive(seed, characters string, length int) string {
	start := string(r.computeMAC(strconv.Itoa(length), "\n", seed))
	text := make([]byte, 0, length+sha256.Size)
	for block := 0; len(text) < length; block++ {
		for _, b := range r.computeMAC(start, strconv.Itoa(block)) {
			text = append(text, characters[int(b)%len(characters)])
		}
	}
	return string(text[:length])
}

func (r *replacements) addTag(body string) string {
	return body + r.derive("tag "+body, alphabet, tagLength)
}

// replace returns length characters that depend only on the key, the value and the length. Below minLength, all of them
// are x.
func (r *replacements) replace(value string, length int) string {
	if length < minLength {
		return strings.Repeat("x", length)
	}
	cacheKey := strconv.Itoa(length) + " " + value
	replacement, isCached := r.cache[cacheKey]
	if !isCached {
		replacement = r.addTag(r.derive("value "+value, alphabet, length-tagLength))
	}
	if len(r.cache) >= maxRemembered {
		clear(r.cache)
	}
	if len(value) <= maxRememberedLength {
		r.cache[cacheKey] = replacement
	}
	return replacement
}

// replaceSpelling returns the replacement of the plain value, padded with dots to the length of a longer spelling.
func (r *replacements) replaceSpelling(value string, length int) string {
	plainLength := utf16Length(value)
	if length < plainLength || plainLength < minLength {
		return r.replace(value, length)
	}
	dots := strings.Repeat(".", length-plainLength)
	if isJSONOutsideStrings(value) {
		return r.replaceNumber(value, value) + dots
	}
	return r.replace(value, plainLength) + dots
}

// replaceNumber replaces each digit with a digit from 1 to 9.
func (r *replacements) replaceNumber(value, text string) string {
	replacementDigits := r.derive("value "+value, digits, len(text))
	number := []byte(text)
	for at, b := range number {
		if isDigit(b) {
			number[at] = replacementDigits[at]
		}
	}
	r.numbers[string(number)] = true
	return string(number)
}

// replaceJSON replaces digits with digits and letters with letters. It keeps escapes and the keywords and exponents of
// JSON.
func (r *replacements) replaceJSON(value, text string) string {
	chosenDigits := r.derive("value "+value, digits, len(text))
	chosenLetters := r.derive("value "+value, letters, len(text))
	b := []byte(text)
	for at := 0; at < len(b); {
		if unchangedLength := unchangedJSONLength(text, at); unchangedLength > 0 {
			at += unchangedLength
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

// unchangedJSONLength returns the length of the JSON at an index that replaceJSON keeps.
func unchangedJSONLength(text string, at int) int {
	remaining := text[at:]
	switch b := remaining[0]; b {
	case '\\':
		return escapeLength(remaining)
	case 'e', 'E':
		if at > 0 && isDigit(text[at-1]) && len(remaining) > 1 && (isDigit(remaining[1]) || remaining[1] == '-' || remaining[1] == '+') {
			return 1
		}
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(remaining, word) {
			return len(word)
		}
	}
	return 0
}

// escapeLength returns the length of the JSON escape at the start of a text. It returns 0 for a lone backslash.
func escapeLength(text string) int {
	if len(text) >= 6 && text[1] == 'u' && hexRun(text, 2, 4) == 4 {
		return 6
	}
	if len(text) >= 2 {
		return 2
	}
	return 0
}

// isReplacement reports whether a text is a replacement, which must not be replaced again.
func (r *replacements) isReplacement(text string) bool {
	if len(text) < minLength {
		return strings.Trim(text, "x") == ""
	}
	body := strings.TrimRight(text, ".")
	return r.numbers[text] || r.numbers[body] || r.isTagged(body)
}

func (r *replacements) isTagged(text string) bool {
	if len(text) <= 0 || strings.IndexFunc(text, func(c rune) bool { return c > 127 || !isAlnum(byte(c)) }) >= 0 {
		return false
	}
	body := text[:max(0, len(text)-tagLength)]
	return r.addTag(body) == text
}

// utf16Length returns the length of a text in UTF-16 code units, as in JavaScript.
func utf16Length(text string) int { return len(utf16.Encode([]rune(text))) }

func isDigit(b byte) bool  { return b >= '0' && b <= '9' }
func isLetter(b byte) bool { return b|32 >= 'a' && b|32 <= 'z' }
func isAlnum(b byte) bool  { return isDigit(b) || isLetter(b) }
func isHex(b byte) bool    { return isDigit(b) || (b|32 >= 'a' && b|32 <= 'f') }

// hexRun returns the number of consecutive hexadecimal digits from an index, up to a limit.
func hexRun(text string, at, limit int) int {
	n := 0
	for n < limit && at+n < len(text) && isHex(text[at+n]) {
		n++
	}
	return n
}
