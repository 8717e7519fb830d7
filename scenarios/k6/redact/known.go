package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// pattern matches some spellings of a secret.
type pattern struct {
	expression *regexp.Regexp
	// required is a literal that every match contains. If it is empty, the expression is always tried.
	required string
}

// knownSecret is a secret with the patterns that find it.
type knownSecret struct {
	value string
	// patterns match the value in all spellings, its base64 after 0, 1 or 2 other bytes, and its hexadecimal digits.
	patterns []pattern
	// decodedPatterns match the same in decoded text.
	decodedPatterns []pattern
}

var htmlEntities = map[rune]string{
	'&': "&(?:amp|#38|#x26);", '<': "&(?:lt|#60|#x3c);", '>': "&(?:gt|#62|#x3e);",
	'"': "&(?:quot|#34|#x22);", '\'': "&(?:apos|#39|#x27);",
}

// hexAnyCase returns a pattern that matches hexadecimal digits in either case.
func hexAnyCase(hexDigits string) string {
	var b strings.Builder
	for _, digit := range hexDigits {
		if digit >= 'a' && digit <= 'f' {
			fmt.Fprintf(&b, "[%c%c]", digit, digit-32)
		} else {
			b.WriteRune(digit)
		}
	}
	return b.String()
}

func escapedBytes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		fmt.Fprintf(&b, `\x%02x`, text[i])
	}
	return b.String()
}

func literalPattern(character string) string {
	switch character {
	case `\`:
		return `\\{1,4}`
	case "/", `"`:
		return `\\{0,4}` + escapedBytes(character)
	}
	return escapedBytes(character)
}

// spellingsPattern matches one character verbatim, percent-encoded, as a JSON escape or as an HTML entity.
func spellingsPattern(character rune) string {
	text := string(character)
	var percent strings.Builder
	for i := 0; i < len(text); i++ {
		percent.WriteString(`%(?:25){0,3}` + hexAnyCase(fmt.Sprintf("%02x", text[i])))
	}
	options := []string{literalPattern(text), percent.String()}
	var escaped strings.Builder
	for _, unit := range utf16Units(character) {
		escaped.WriteString(`\\{1,4}u` + hexAnyCase(fmt.Sprintf("%04x", unit)))
	}
	options = append(options, escaped.String())
	if entity := htmlEntities[character]; entity != "" {
		options = append(options, entity)
	}
	return "(?:" + strings.Join(options, "|") + ")"
}

func utf16Units(character rune) []uint16 {
	if character >= 0x10000 {
		character -= 0x10000
		return []uint16{0xd800 + uint16(character>>10), 0xdc00 + uint16(character&0x3ff)}
	}
	return []uint16{uint16(character)}
}

var (
	base64AlnumRun = regexp.MustCompile(`[A-Za-z0-9]+`)
	hexDigitRun    = regexp.MustCompile(`[0-9]+`)
)

func longestMatch(text string, parts *regexp.Regexp) string {
	longestPart := ""
	for _, part := range parts.FindAllString(text, -1) {
		if len(part) > len(longestPart) {
			longestPart = part
		}
	}
	return longestPart
}

// base64Core returns the part of the base64 that depends only on the value if it follows bytesBefore other bytes.
func base64Core(value string, bytesBefore int) string {
	coded := base64.StdEncoding.EncodeToString(append(make([]byte, bytesBefore), value...))
	from := bytesBefore
	if bytesBefore > 0 {
		from = bytesBefore + 1
	}
	return coded[from : (bytesBefore+len(value))*8/6]
}

func base64Pattern(value string, bytesBefore int) pattern {
	core := base64Core(value, bytesBefore)
	var source strings.Builder
	for _, character := range core {
		switch character {
		case '+':
			source.WriteString("(?:" + spellingsPattern('+') + "|" + spellingsPattern('-') + ")")
		case '/':
			source.WriteString("(?:" + spellingsPattern('/') + "|" + spellingsPattern('_') + ")")
		default:
			source.WriteRune(character)
		}
	}
	return pattern{regexp.MustCompile(source.String()), longestMatch(core, base64AlnumRun)}
}

func newKnownSecret(value string) knownSecret {
	var source strings.Builder
	for _, character := range value {
		source.WriteString(spellingsPattern(character))
	}
	hexDigits := hex.EncodeToString([]byte(value))
	coded := []pattern{
		base64Pattern(value, 0), base64Pattern(value, 1), base64Pattern(value, 2),
		{regexp.MustCompile(hexAnyCase(hexDigits)), longestMatch(hexDigits, hexDigitRun)},
	}
	k := knownSecret{value: value}
	k.patterns = append([]pattern{{expression: regexp.MustCompile(source.String())}}, coded...)
	k.decodedPatterns = append([]pattern{decodedPattern(value)}, coded...)
	return k
}

// decodedPattern matches the value with the backslashes that JSON may add to it.
func decodedPattern(value string) pattern {
	var source strings.Builder
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '\\':
			source.WriteString(escapedBytes(value[i:i+1]) + `{1,4}`)
		case '/', '"':
			source.WriteString(`\\{0,4}` + escapedBytes(value[i:i+1]))
		default:
			source.WriteString(escapedBytes(value[i : i+1]))
		}
	}
	longestPart := ""
	for _, part := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(`/"\`, c) }) {
		if len(part) > len(longestPart) {
			longestPart = part
		}
	}
	return pattern{regexp.MustCompile(source.String()), longestPart}
}

// findAll returns the start and end of all matches in a text. The pattern treats each byte as one character.
func (p *pattern) findAll(text string) [][]int {
	if p.required != "" && !strings.Contains(text, p.required) {
		return nil
	}
	if isASCII(text) {
		return p.expression.FindAllStringIndex(text, -1)
	}
	// The expressions expect one character per byte.
	utf8Text := make([]byte, 0, len(text)+len(text)/4)
	offsets := make([]int, 0, len(text)+1)
	for i := 0; i < len(text); i++ {
		offsets = append(offsets, len(utf8Text))
		utf8Text = utf8.AppendRune(utf8Text, rune(text[i]))
	}
	offsets = append(offsets, len(utf8Text))
	matches := p.expression.FindAllIndex(utf8Text, -1)
	for _, match := range matches {
		for i := range match {
			match[i], _ = slices.BinarySearch(offsets, match[i])
		}
	}
	return matches
}

func isASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// replaceKnown replaces every match of one pattern of a secret.
func replaceKnown(text string, value string, p *pattern, r *replacements) string {
	matches := p.findAll(text)
	if len(matches) == 0 {
		return text
	}
	var out strings.Builder
	copiedUntil := 0
	for _, match := range matches {
		out.WriteString(text[copiedUntil:match[0]])
		out.WriteString(replaceMatch(value, text, match[0], match[1], r))
		copiedUntil = match[1]
	}
	out.WriteString(text[copiedUntil:])
	return out.String()
}

func backslashesBefore(text string, at int) int {
	count := 0
	for at-1-count >= 0 && text[at-1-count] == '\\' {
		count++
	}
	return count
}

// openEscape describes the JSON escape that continues at an index: how many characters of it precede the index and how
// many follow. Both are 0 if there is no such escape.
func openEscape(text string, at int) (charactersBefore, charactersAfter int) {
	if backslashesBefore(text, at)%2 == 1 {
		if byteIs(text, at, 'u') {
			return 1, 5
		}
		return 1, 1
	}
	// The leftmost match is the longest.
	for length := 5; length >= 2; length-- {
		from := at - length
		if from >= 0 && text[from] == '\\' && text[from+1] == 'u' && hexRun(text[:at], from+2, 3) == length-2 {
			if backslashesBefore(text, from)%2 == 0 {
				return length, 6 - length
			}
			break
		}
	}
	return 0, 0
}

// replaceMatch returns the replacement of a match. It keeps escapes at its edges, so that surrounding JSON stays valid.
func replaceMatch(value, text string, at, end int, r *replacements) string {
	_, charactersAfter := openEscape(text, at)
	from := min(end, at+charactersAfter)
	charactersBefore, _ := openEscape(text, end)
	to := max(from, end-charactersBefore)
	return text[at:from] + chooseReplacement(value, text[from:to], r) + text[to:end]
}

func chooseReplacement(value, match string, r *replacements) string {
	if isJSONOutsideStrings(match) {
		return r.replaceNumber(value, match)
	}
	if hasUnescapedQuote(match) {
		return r.replaceJSON(value, match)
	}
	return r.replaceSpelling(value, len(match))
}

// isJSONOutsideStrings reports whether a text could be JSON outside of strings, with enough digits to replace.
func isJSONOutsideStrings(text string) bool {
	digitCount := 0
	for i := 0; i < len(text); i++ {
		if isDigit(text[i]) {
			digitCount++
		} else if strings.IndexByte("-+.,:{}[]eE \t\n\r\v\f\xa0", text[i]) < 0 {
			return false
		}
	}
	return digitCount >= 4
}

func hasUnescapedQuote(text string) bool {
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			return true
		case '\\':
			at += max(1, escapeLength(text[at:])) - 1
		}
	}
	return false
}

// encodedSecret is the range of a text that decodes to a secret.
type encodedSecret struct {
	value      string
	start, end int
}

// maxNestedCodings limits how many nested levels of base64 and hexadecimal are decoded.
const maxNestedCodings = 3

func findSecrets(l *layer, secrets []knownSecret) []encodedSecret {
	var secretRanges []encodedSecret
	for i := range secrets {
		for j := range secrets[i].decodedPatterns {
			for _, match := range secrets[i].decodedPatterns[j].findAll(l.text) {
				secretRanges = append(secretRanges, encodedSecret{secrets[i].value, l.sourceIndex(match[0]), l.sourceIndex(match[1])})
			}
		}
	}
	return secretRanges
}

func findEncodedSecrets(outer layer, secrets []knownSecret, codings int) []encodedSecret {
	layers := decodeLayers(outer)
	var secretRanges []encodedSecret
	for i := range layers {
		secretRanges = append(secretRanges, findSecrets(&layers[i], secrets)...)
	}
	if codings == maxNestedCodings {
		return secretRanges
	}
	for _, encodedLayer := range append([]layer{outer}, layers...) {
		forEachCoded(encodedLayer, func(part layer) bool {
			secretRanges = append(append(secretRanges, findSecrets(&part, secrets)...), findEncodedSecrets(part, secrets, codings+1)...)
			return true
		})
	}
	return secretRanges
}

// replaceEncoded replaces ranges that decode to a secret and that no pattern matched verbatim.
func replaceEncoded(text string, secrets []knownSecret, r *replacements) string {
	rewritten := text
	for _, secret := range findEncodedSecrets(layer{text: text}, secrets, 0) {
		if rewritten[secret.start:secret.end] == text[secret.start:secret.end] {
			rewritten = rewritten[:secret.start] + replaceMatch(secret.value, rewritten, secret.start, secret.end, r) + rewritten[secret.end:]
		}
	}
	return rewritten
}
