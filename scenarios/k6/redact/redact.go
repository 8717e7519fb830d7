// Package redact replaces secrets before anything is written. Its replacements are the same as those of
// packages/evidence. Shared fixtures test both.
package redact

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Redactor replaces secrets. It is not safe for concurrent use.
type Redactor struct {
	replacements *replacements
	values       []string
	secrets      []knownSecret
	headerNames  map[string]bool
	filter       *filter
	learned      map[string]bool
}

// maxLearned limits the learned read tokens. Further ones are replaced only where their form reveals them.
const maxLearned = 1000

// New returns a redactor for known secrets and for headers that contain secrets, with the key of the run. It rejects
// secrets that are not UTF-8 or shorter than minLength.
func New(key []byte, secrets, headerNames []string) (*Redactor, error) {
	r := &Redactor{replacements: newReplacements(key), values: secrets, headerNames: map[string]bool{}, learned: map[string]bool{}}
	for _, value := range secrets {
		if utf16Length(value) < minLength || !utf8.ValidString(value) {
			return nil, fmt.Errorf("a secret of the run is too short or not UTF-8, so it cannot be redacted")
		}
	}
	for _, name := range headerNames {
		r.headerNames[strings.ToLower(name)] = true
	}
	r.setSecrets(secrets)
	return r, nil
}

// setSecrets compiles the patterns of secrets, longest first.
func (r *Redactor) setSecrets(values []string) {
	r.secrets = nil
	r.filter = newFilter()
	for _, value := range values {
		r.secrets = append(r.secrets, newKnownSecret(value))
	}
	slices.SortStableFunc(r.secrets, func(a, b knownSecret) int { return utf16Length(b.value) - utf16Length(a.value) })
	for i := range r.secrets {
		r.filter.addSecret(&r.secrets[i])
	}
}

// Text replaces the secrets in a text. Each byte is one character. It returns the same string if there are none.
func (r *Redactor) Text(text string) string {
	secretKinds := r.filter.scan(text)
	if len(r.secrets) > 0 && r.filter.mayContainSecret(layer{text: text, isUntraced: true}, secretKinds, 0) {
		for i := range r.secrets {
			for j := range r.secrets[i].patterns {
				text = replaceKnown(text, r.secrets[i].value, &r.secrets[i].patterns[j], r.replacements)
			}
		}
		text = replaceEncoded(text, r.secrets, r.replacements)
		secretKinds = r.filter.scan(text)
	}
	for i := range shapes {
		if shapes[i].mayContain(text, secretKinds) {
			text = replaceShape(text, &shapes[i], r.replacements)
		}
	}
	return text
}

// Bytes is like Text for bytes. It returns the same slice if there are no secrets.
func (r *Redactor) Bytes(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	// Text does not retain the string, and the bytes do not change during the call.
	text := unsafe.String(&b[0], len(b))
	if redacted := r.Text(text); unsafe.StringData(redacted) != &b[0] {
		return []byte(redacted)
	}
	return b
}

// MayCross reports whether a secret may contain before directly followed by after, two characters that no encoding
// uses.
func (r *Redactor) MayCross(before, after string) bool {
	return slices.ContainsFunc(r.values, func(value string) bool { return strings.Contains(value, before+after) })
}

var readEscape = regexp.MustCompile(`\\(?:u[\dA-Fa-f]{4}|.)`)

// unescapeReadToken decodes a JSON string whose only escapes are those of readTokenCharLength. It returns "" if the
// result contains unprintable characters.
func unescapeReadToken(text string) string {
	isPrintable := true
	decoded := readEscape.ReplaceAllStringFunc(text, func(escape string) string {
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
	return decoded
}

// findReadTokens returns the read tokens in a body.
func findReadTokens(body string) (tokens []string) {
	for at := 0; at < len(body); {
		offset := strings.Index(body[at:], `"`+readTokenHint)
		if offset < 0 {
			break
		}
		at += offset
		from, to := matchReadToken(body, at)
		if from < 0 {
			at++
			continue
		}
		tokens = append(tokens, unescapeReadToken(body[from:to]))
		at = to
	}
	return tokens
}

// Learn registers the read tokens of a response as secrets. They are replaced from now on.
func (r *Redactor) Learn(body string) {
	if len(r.learned) >= maxLearned || !strings.Contains(body, "read_token") {
		return
	}
	hasNew := false
	for _, token := range findReadTokens(body) {
		if len(token) >= minLength && !r.learned[token] {
			r.learned[token] = true
			r.values = append(slices.Clip(r.values), token)
			hasNew = true
		}
	}
	if hasNew {
		r.setSecrets(r.values)
	}
}

var (
	secretWord      = regexp.MustCompile(`(?:^|[-_])(?:token|secret|password|api-?key|credentials?|jwt|assertion|session)(?:$|[-_])`)
	schemeAndSecret = regexp.MustCompile(`(?is)^((?:token|bearer|basic|digest|negotiate|token-sudo|assay)\s+)(.+)$`)
)

func (r *Redactor) isSecretHeader(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "authorization", "proxy-authorization", "cookie", "set-cookie":
		return true
	}
	return strings.HasPrefix(name, "x-sourcegraph-") || secretWord.MatchString(name) || r.headerNames[name]
}

// Header redacts a header field. It keeps the authentication scheme.
func (r *Redactor) Header(name, value string) (string, string) {
	if !r.isSecretHeader(name) {
		return r.Text(name), r.Text(value)
	}
	scheme, secret := "", value
	if parts := schemeAndSecret.FindStringSubmatch(value); parts != nil {
		scheme, secret = parts[1], parts[2]
	}
	redacted := r.Text(secret)
	if r.replacements.isReplacement(redacted) {
		return name, scheme + redacted
	}
	return name, scheme + r.replacements.replace(redacted, utf16Length(redacted))
}
