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

// pattern is one way in which a secret may be written.
type pattern struct {
	expression *regexp.Regexp
	// plain is a part that has one spelling only; nothing is found without it. Empty: anything may be.
	plain string
}

// known is a secret with its patterns.
type known struct {
	value string
	// patterns: all spellings of the value, base64 behind 0, 1 and 2 other bytes, hexadecimal.
	patterns []pattern
	// bare are those that are looked for once encodings are taken off.
	bare []pattern
}

var htmlEntities = map[rune]string{
	'&': "&(?:amp|#38|#x26);", '<': "&(?:lt|#60|#x3c);", '>': "&(?:gt|#62|#x3e);",
	'"': "&(?:quot|#34|#x22);", '\'': "&(?:apos|#39|#x27);",
}

// anyCase takes hexadecimal digits in either case.
func anyCase(digits string) string {
	var b strings.Builder
	for _, digit := range digits {
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

func literal(character string) string {
	switch character {
	case `\`:
		return `\\{1,4}`
	case "/", `"`:
		return `\\{0,4}` + escapedBytes(character)
	}
	return escapedBytes(character)
}

// spellings of one character: as it is, percent-encoded, as a JSON escape, as an HTML entity.
func spellings(character rune) string {
	text := string(character)
	var percent strings.Builder
	for i := 0; i < len(text); i++ {
		percent.WriteString(`%(?:25){0,3}` + anyCase(fmt.Sprintf("%02x", text[i])))
	}
	options := []string{literal(text), percent.String()}
	var escaped strings.Builder
	for _, unit := range utf16Units(character) {
		escaped.WriteString(`\\{1,4}u` + anyCase(fmt.Sprintf("%04x", unit)))
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
	plainOfBase64 = regexp.MustCompile(`[A-Za-z0-9]+`)
	plainOfHex    = regexp.MustCompile(`[0-9]+`)
)

func longestOf(text string, parts *regexp.Regexp) string {
	longest := ""
	for _, part := range parts.FindAllString(text, -1) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// base64Core is the part of base64 that the value alone decides, after n other bytes.
func base64Core(value string, before int) string {
	coded := base64.StdEncoding.EncodeToString(append(make([]byte, before), value...))
	from := before
	if before > 0 {
		from = before + 1
	}
	return coded[from : (before+len(value))*8/6]
}

func base64Pattern(value string, before int) pattern {
	core := base64Core(value, before)
	var source strings.Builder
	for _, character := range core {
		switch character {
		case '+':
			source.WriteString("(?:" + spellings('+') + "|" + spellings('-') + ")")
		case '/':
			source.WriteString("(?:" + spellings('/') + "|" + spellings('_') + ")")
		default:
			source.WriteRune(character)
		}
	}
	return pattern{regexp.MustCompile(source.String()), longestOf(core, plainOfBase64)}
}

func newKnown(value string) known {
	var source strings.Builder
	for _, character := range value {
		source.WriteString(spellings(character))
	}
	digits := hex.EncodeToString([]byte(value))
	coded := []pattern{
		base64Pattern(value, 0), base64Pattern(value, 1), base64Pattern(value, 2),
		{regexp.MustCompile(anyCase(digits)), longestOf(digits, plainOfHex)},
	}
	k := known{value: value}
	k.patterns = append([]pattern{{expression: regexp.MustCompile(source.String())}}, coded...)
	k.bare = append([]pattern{barePattern(value)}, coded...)
	return k
}

// barePattern is the value with the backslashes that JSON may write in it.
func barePattern(value string) pattern {
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
	longest := ""
	for _, part := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(`/"\`, c) }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return pattern{regexp.MustCompile(source.String()), longest}
}

// find gives the places of all matches in a text whose characters are bytes.
func (p *pattern) find(text string) [][]int {
	if p.plain != "" && !strings.Contains(text, p.plain) {
		return nil
	}
	if isASCII(text) {
		return p.expression.FindAllStringIndex(text, -1)
	}
	// The expressions are of characters that are bytes: each becomes one.
	wide := make([]byte, 0, len(text)+len(text)/4)
	places := make([]int, 0, len(text)+1)
	for i := 0; i < len(text); i++ {
		places = append(places, len(wide))
		wide = utf8.AppendRune(wide, rune(text[i]))
	}
	places = append(places, len(wide))
	found := p.expression.FindAllIndex(wide, -1)
	for _, match := range found {
		for i := range match {
			match[i], _ = slices.BinarySearch(places, match[i])
		}
	}
	return found
}

func isASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// replaceKnown replaces a secret in all spellings of one pattern.
func replaceKnown(text string, value string, p *pattern, r *replacements) string {
	matches := p.find(text)
	if len(matches) == 0 {
		return text
	}
	var out strings.Builder
	copied := 0
	for _, match := range matches {
		out.WriteString(text[copied:match[0]])
		out.WriteString(replaceFound(value, text, match[0], match[1], r))
		copied = match[1]
	}
	out.WriteString(text[copied:])
	return out.String()
}

func slashesBefore(text string, at int) int {
	count := 0
	for at-1-count >= 0 && text[at-1-count] == '\\' {
		count++
	}
	return count
}

// openEscape: how many characters before a place the JSON escape began that goes on there, and how many of it are left.
func openEscape(text string, at int) (before, left int) {
	if slashesBefore(text, at)%2 == 1 {
		if byteIs(text, at, 'u') {
			return 1, 5
		}
		return 1, 1
	}
	// The leftmost that fits is the longest.
	for length := 5; length >= 2; length-- {
		from := at - length
		if from >= 0 && text[from] == '\\' && text[from+1] == 'u' && hexRun(text[:at], from+2, 3) == length-2 {
			if slashesBefore(text, from)%2 == 0 {
				return length, 6 - length
			}
			break
		}
	}
	return 0, 0
}

// replaceFound is what stands in place of a secret that was found, so that JSON around it stays JSON.
func replaceFound(value, text string, at, end int, r *replacements) string {
	_, left := openEscape(text, at)
	from := min(end, at+left)
	before, _ := openEscape(text, end)
	to := max(from, end-before)
	return text[at:from] + replacementOf(value, text[from:to], r) + text[to:end]
}

func replacementOf(value, found string, r *replacements) string {
	if isOutsideStrings(found) {
		return r.ofNumber(value, found)
	}
	if hasBareQuote(found) {
		return r.ofJSON(value, found)
	}
	return r.spelled(value, len(found))
}

// isOutsideStrings: characters of a JSON document outside its strings, with enough digits to replace.
func isOutsideStrings(text string) bool {
	count := 0
	for i := 0; i < len(text); i++ {
		if isDigit(text[i]) {
			count++
		} else if strings.IndexByte("-+.,:{}[]eE \t\n\r\v\f\xa0", text[i]) < 0 {
			return false
		}
	}
	return count >= 4
}

func hasBareQuote(text string) bool {
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

// encoded is a secret that a text says once encodings are taken off.
type encoded struct {
	value      string
	start, end int
}

// maxCodings: base64 and hexadecimal in one another that are taken off.
const maxCodings = 3

func foundIn(l *layer, secrets []known) []encoded {
	var found []encoded
	for i := range secrets {
		for j := range secrets[i].bare {
			for _, match := range secrets[i].bare[j].find(l.text) {
				found = append(found, encoded{secrets[i].value, l.from(match[0]), l.from(match[1])})
			}
		}
	}
	return found
}

func encodedIn(given layer, secrets []known, codings int) []encoded {
	layers := decodedLayers(given)
	var found []encoded
	for i := range layers {
		found = append(found, foundIn(&layers[i], secrets)...)
	}
	if codings == maxCodings {
		return found
	}
	for _, one := range append([]layer{given}, layers...) {
		eachCoded(one, func(part layer) bool {
			found = append(append(found, foundIn(&part, secrets)...), encodedIn(part, secrets, codings+1)...)
			return true
		})
	}
	return found
}

// replaceEncoded replaces what decodes to a secret and was not found as it stands.
func replaceEncoded(text string, secrets []known, r *replacements) string {
	rewritten := text
	for _, one := range encodedIn(layer{text: text}, secrets, 0) {
		if rewritten[one.start:one.end] == text[one.start:one.end] {
			rewritten = rewritten[:one.start] + replaceFound(one.value, rewritten, one.start, one.end, r) + rewritten[one.end:]
		}
	}
	return rewritten
}
