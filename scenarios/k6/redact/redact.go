// Package redact replaces secrets before anything is written, like packages/evidence: by the same keyed text of the
// same length. Shared fixtures test both.
package redact

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Redactor replaces secrets. It is not safe for concurrent use.
type Redactor struct {
	replacements *replacements
	given        []string
	secrets      []known
	names        map[string]bool
	filter       *filter
	learned      map[string]bool
}

// maxLearned limits the learned read tokens. More are replaced only by their form.
const maxLearned = 1000

// New makes a redactor for known secrets and for headers with secrets, under the key of the run. A secret with fewer
// than 8 characters or that is not text is refused.
func New(key []byte, secrets, headerNames []string) (*Redactor, error) {
	r := &Redactor{replacements: newReplacements(key), given: secrets, names: map[string]bool{}, learned: map[string]bool{}}
	for _, value := range secrets {
		if units(value) < shortest || !utf8.ValidString(value) {
			return nil, fmt.Errorf("a secret of the run is too short or not text, so it cannot be replaced")
		}
	}
	for _, name := range headerNames {
		r.names[strings.ToLower(name)] = true
	}
	r.know(secrets)
	return r, nil
}

// know makes the patterns of secrets, longest first.
func (r *Redactor) know(values []string) {
	r.secrets = nil
	r.filter = newFilter()
	for _, value := range values {
		r.secrets = append(r.secrets, newKnown(value))
	}
	slices.SortStableFunc(r.secrets, func(one, other known) int { return units(other.value) - units(one.value) })
	for i := range r.secrets {
		r.filter.addSecret(&r.secrets[i])
	}
}

// Text replaces secrets in a text of bytes. Without any it returns the text itself.
func (r *Redactor) Text(text string) string {
	found := r.filter.find(text)
	if len(r.secrets) > 0 && r.filter.mayHoldSecret(layer{text: text, isUntraced: true}, found, 0) {
		for i := range r.secrets {
			for j := range r.secrets[i].patterns {
				text = replaceKnown(text, r.secrets[i].value, &r.secrets[i].patterns[j], r.replacements)
			}
		}
		text = replaceEncoded(text, r.secrets, r.replacements)
		found = r.filter.find(text)
	}
	for i := range shapes {
		if shapes[i].mayHold(text, found) {
			text = replaceShape(text, &shapes[i], r.replacements)
		}
	}
	return text
}

// Bytes is Text for bytes. Without secrets it returns the bytes themselves.
func (r *Redactor) Bytes(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	// No part of the text is kept, and the bytes do not change meanwhile.
	given := unsafe.String(&b[0], len(b))
	if redacted := r.Text(given); unsafe.StringData(redacted) != &b[0] {
		return []byte(redacted)
	}
	return b
}

// MayCross returns whether a secret may cross a place between two characters that belong to no encoding.
func (r *Redactor) MayCross(before, behind string) bool {
	return slices.ContainsFunc(r.given, func(value string) bool { return strings.Contains(value, before+behind) })
}

var readEscape = regexp.MustCompile(`\\(?:u[\dA-Fa-f]{4}|.)`)

// unescaped decodes a JSON string whose only escapes are those of readTokenPart; empty if it has unprintable
// characters.
func unescaped(text string) string {
	isPrintable := true
	said := readEscape.ReplaceAllStringFunc(text, func(escape string) string {
		code, err := strconv.ParseUint(escape[min(2, len(escape)):], 16, 32)
		if err != nil {
			return escape[1:]
		}
		isPrintable = isPrintable && code >= ' ' && code <= '~'
		return string(rune(code))
	})
	if !isPrintable {
		return ""
	}
	return said
}

// readTokensIn returns the read tokens in a body.
func readTokensIn(body string) (tokens []string) {
	for at := 0; at < len(body); {
		next := strings.Index(body[at:], `"`+readTokenHint)
		if next < 0 {
			break
		}
		at += next
		from, to := readTokenAt(body, at)
		if from < 0 {
			at++
			continue
		}
		tokens = append(tokens, unescaped(body[from:to]))
		at = to
	}
	return tokens
}

// Learn treats the read tokens of a response as secrets from now on, wherever they appear.
func (r *Redactor) Learn(body string) {
	if len(r.learned) >= maxLearned || !strings.Contains(body, "read_token") {
		return
	}
	isFresh := false
	for _, token := range readTokensIn(body) {
		if len(token) >= shortest && !r.learned[token] {
			r.learned[token] = true
			r.given = append(slices.Clip(r.given), token)
			isFresh = true
		}
	}
	if isFresh {
		r.know(r.given)
	}
}

var (
	secretWord    = regexp.MustCompile(`(?:^|[-_])(?:token|secret|password|api-?key|credentials?|jwt|assertion|session)(?:$|[-_])`)
	schemeAndRest = regexp.MustCompile(`(?is)^((?:token|bearer|basic|digest|negotiate|token-sudo|assay)\s+)(.+)$`)
)

func (r *Redactor) isSecretHeader(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "authorization", "proxy-authorization", "cookie", "set-cookie":
		return true
	}
	return strings.HasPrefix(name, "x-sourcegraph-") || secretWord.MatchString(name) || r.names[name]
}

// Header redacts a field, except the word that names a scheme.
func (r *Redactor) Header(name, value string) (string, string) {
	if !r.isSecretHeader(name) {
		return r.Text(name), r.Text(value)
	}
	scheme, secret := "", value
	if parts := schemeAndRest.FindStringSubmatch(value); parts != nil {
		scheme, secret = parts[1], parts[2]
	}
	known := r.Text(secret)
	if r.replacements.isOne(known) {
		return name, scheme + known
	}
	return name, scheme + r.replacements.of(known, len(utf16.Encode([]rune(known))))
}
