package redact

import "strings"

// shape describes secrets that are recognised by their form.
type shape struct {
	// first lists the bytes, all ASCII, that a match may start with.
	first string
	// match matches at an index that contains one of first. It returns the range of the secret, which ends with the match.
	// secret is negative if there is no match.
	match func(text string, at int) (secret, end int)
	// mayContain reports whether the text may contain the shape. secretKinds is the result of filter.scan for the text.
	mayContain func(text string, secretKinds kinds) bool
}

func byteSet(class string) *[256]bool {
	var table [256]bool
	for i := 0; i < len(class); i++ {
		table[class[i]] = true
	}
	return &table
}

const alnums = letters + "0123456789"

var (
	userPart   = byteSet(alnums + "._~!$&()*+,;=%-")
	queryValue = byteSet(alnums + "._~!$()*+,:/=%-")
	jwtPart    = byteSet(alnums + "_-")
	wordPart   = byteSet(alnums + "_")
	alnumPart  = byteSet(alnums)
)

// countClass returns the number of consecutive bytes of a class, from at. It stops at limit+1.
func countClass(text string, at int, class *[256]bool, limit int) int {
	n := 0
	for n <= limit && at+n < len(text) && class[text[at+n]] {
		n++
	}
	return n
}

// startsWord reports whether a word may start at an index. The letter of a JSON escape before it is not part of a word.
func startsWord(text string, at int) bool {
	if at == 0 || !jwtPart[text[at-1]] {
		return true
	}
	return at > 1 && text[at-2] == '\\' && strings.IndexByte("bfnrt", text[at-1]) >= 0
}

func byteIs(text string, at int, b byte) bool { return at < len(text) && text[at] == b }

func matchToken(text string, at int) (int, int) {
	if !strings.HasPrefix(text[at:], "sg") || !byteIs(text, at+3, '_') || text[at+2] < 'a' || text[at+2] > 'z' || !startsWord(text, at) {
		return -1, -1
	}
	from := at + 4
	if text[at+2] == 'p' {
		if n := min(1024, countClass(text, from, wordPart, 1024)); n >= 8 {
			return at, from + n
		}
	}
	if n := countClass(text, from, alnumPart, 64); n >= 1 && n <= 64 && byteIs(text, from+n, '_') {
		if suffixLength := min(1024, countClass(text, from+n+1, alnumPart, 1024)); suffixLength >= 16 {
			return at, from + n + 1 + suffixLength
		}
	}
	if n := min(1024, countClass(text, from, alnumPart, 1024)); n >= 16 {
		return at, from + n
	}
	return -1, -1
}

func matchJWT(text string, at int) (int, int) {
	if !strings.HasPrefix(text[at:], "eyJ") || !startsWord(text, at) {
		return -1, -1
	}
	head := at + 3 + countClass(text, at+3, jwtPart, 4096)
	if n := head - at - 3; n < 8 || n > 4096 || !strings.HasPrefix(text[head:], ".eyJ") {
		return -1, -1
	}
	body := head + 4 + countClass(text, head+4, jwtPart, 16384)
	if n := body - head - 4; n < 8 || n > 16384 || !byteIs(text, body, '.') {
		return -1, -1
	}
	if n := countClass(text, body+1, jwtPart, 4096); n >= 8 && n <= 4096 {
		return at, body + 1 + n
	}
	return -1, -1
}

// skipSchemeSlashes returns the index after `://`, where up to two backslashes may precede each slash. It returns -1 if
// there is no `://`.
func skipSchemeSlashes(text string, at int) int {
	at++
	for range 2 {
		for n := 0; n < 2 && byteIs(text, at, '\\'); n++ {
			at++
		}
		if !byteIs(text, at, '/') {
			return -1
		}
		at++
	}
	return at
}

func matchPassword(text string, at int) (int, int) {
	from := skipSchemeSlashes(text, at)
	if from < 0 {
		return -1, -1
	}
	user := countClass(text, from, userPart, 256)
	if user > 256 || !byteIs(text, from+user, ':') {
		return -1, -1
	}
	secret := from + user + 1
	if n := countClass(text, secret, userPart, 256); n >= 1 && n <= 256 && byteIs(text, secret+n, '@') {
		return secret, secret + n
	}
	return -1, -1
}

func matchUser(text string, at int) (int, int) {
	from := skipSchemeSlashes(text, at)
	if from < 0 {
		return -1, -1
	}
	if n := countClass(text, from, userPart, 256); n >= 8 && n <= 256 && byteIs(text, from+n, '@') {
		return from, from + n
	}
	return -1, -1
}

var (
	queryBeginnings = []string{"?", "&", `\u0026`, "&amp;", "%26", "%3f"}
	queryNames      = []string{"token=", "access_token=", "filter_read_token="}
)

func hasPrefixFold(text string, at int, prefix string) bool {
	return at+len(prefix) <= len(text) && strings.EqualFold(text[at:at+len(prefix)], prefix)
}

func matchQueryToken(text string, at int) (int, int) {
	for _, beginning := range queryBeginnings {
		if !hasPrefixFold(text, at, beginning) {
			continue
		}
		for _, name := range queryNames {
			from := at + len(beginning)
			if !hasPrefixFold(text, from, name) {
				continue
			}
			if n := min(4096, countClass(text, from+len(name), queryValue, 4096)); n > 0 {
				return from + len(name), from + len(name) + n
			}
		}
	}
	return -1, -1
}

// skipSlash returns the index after a slash, which up to two backslashes may precede. It returns -1 if there is none.
func skipSlash(text string, at int) int {
	for n := 0; n < 2 && byteIs(text, at, '\\'); n++ {
		at++
	}
	if byteIs(text, at, '/') {
		return at + 1
	}
	return -1
}

var uuidParts = []int{8, 4, 4, 4, 12}

func skipUUID(text string, at int) int {
	for i, length := range uuidParts {
		if i > 0 {
			if !byteIs(text, at, '-') {
				return -1
			}
			at++
		}
		if hexRun(text, at, length) < length {
			return -1
		}
		at += length
	}
	if at < len(text) && (isHex(text[at]) || text[at] == '-') {
		return -1
	}
	return at
}

func matchLink(text string, at int) (int, int) {
	if !strings.HasPrefix(text[at:], linkHint) {
		return -1, -1
	}
	from := skipSlash(text, at+len(linkHint))
	if from < 0 {
		return -1, -1
	}
	if strings.HasPrefix(text[from:], "shared") {
		if sharedStart := skipSlash(text, from+len("shared")); sharedStart >= 0 {
			if end := skipUUID(text, sharedStart); end >= 0 {
				return sharedStart, end
			}
		}
	}
	if end := skipUUID(text, from); end >= 0 {
		return from, end
	}
	return -1, -1
}

// unescapedBytes are the printable bytes, except space, that a JSON string contains unescaped.
var unescapedBytes = func() *[256]bool {
	var table [256]bool
	for b := '!'; b <= '~'; b++ {
		table[b] = b != '"' && b != '\\'
	}
	return &table
}()

func matchReadToken(text string, at int) (int, int) {
	const name = `"` + readTokenHint + `"`
	if !strings.HasPrefix(text[at:], name) {
		return -1, -1
	}
	from := at + len(name)
	for _, expected := range []byte{':', '"'} {
		if byteIs(text, from, ' ') {
			from++
		}
		if !byteIs(text, from, expected) {
			return -1, -1
		}
		from++
	}
	at = from
	for n := 0; n < 4096 && at < len(text) && text[at] != '"'; n++ {
		length := readTokenCharLength(text[at:])
		if length == 0 {
			return -1, -1
		}
		at += length
	}
	if at > from && byteIs(text, at, '"') {
		return from, at
	}
	return -1, -1
}

// readTokenCharLength returns the length of the first character of a read token, including its escape. It returns 0 if
// the character is not allowed.
func readTokenCharLength(text string) int {
	switch {
	case unescapedBytes[text[0]] || text[0] == ' ':
		return 1
	case text[0] != '\\' || len(text) < 2:
		return 0
	case text[1] == 'u' && hexRun(text, 2, 4) == 4:
		return 6
	case strings.IndexByte(`"/\`, text[1]) >= 0:
		return 2
	}
	return 0
}

// linkHint and readTokenHint occur wherever a link or a read token does.
const (
	linkHint      = "deepsearch"
	readTokenHint = "read_token"
)

// shapes lists the shapes in the order in which they are replaced.
var shapes = []shape{
	{first: "s", match: matchToken, mayContain: mayContainToken},
	{first: "e", match: matchJWT, mayContain: mayContainJWT},
	{first: ":", match: matchPassword, mayContain: mayContainAddress},
	{first: ":", match: matchUser, mayContain: mayContainAddress},
	{first: `?&\%`, match: matchQueryToken, mayContain: mayContainQuery},
	{first: "d", match: matchLink, mayContain: func(_ string, secretKinds kinds) bool { return secretKinds&kindLink != 0 }},
	{first: `"`, match: matchReadToken, mayContain: func(_ string, secretKinds kinds) bool { return secretKinds&kindReadToken != 0 }},
}

// anyIndex reports whether accept returns true for the index of any b in text. It stops at the first.
func anyIndex(text string, b byte, accept func(at int) bool) bool {
	for at := 0; ; at++ {
		offset := strings.IndexByte(text[at:], b)
		if offset < 0 {
			return false
		}
		if at += offset; accept(at) {
			return true
		}
	}
}

// mayContainToken looks for sgp_ by its last byte, the rarest one.
func mayContainToken(text string, _ kinds) bool {
	return anyIndex(text, '_', func(at int) bool { return at >= 3 && text[at-3] == 's' && text[at-2] == 'g' })
}

// mayContainJWT looks for eyJ by its last byte, the rarest one.
func mayContainJWT(text string, _ kinds) bool {
	return anyIndex(text, 'J', func(at int) bool { return at >= 2 && text[at-2] == 'e' && text[at-1] == 'y' })
}

// mayContainAddress looks for credentials between a slash and an @.
func mayContainAddress(text string, _ kinds) bool {
	return anyIndex(text, '@', func(at int) bool {
		from := at
		for from > 0 && (userPart[text[from-1]] || text[from-1] == ':') {
			from--
		}
		return from > 1 && from < at && text[from-1] == '/' && (text[from-2] == '/' || text[from-2] == '\\')
	})
}

func mayContainQuery(text string, _ kinds) bool {
	return anyIndex(text, '=', func(at int) bool { return at >= 5 && text[at-1]|32 == 'n' && strings.EqualFold(text[at-5:at], "token") })
}

// replaceShape replaces text of a shape, except earlier replacements.
func replaceShape(text string, s *shape, r *replacements) string {
	var out []byte
	copiedUntil := 0
	for at := 0; at < len(text); {
		offset := strings.IndexAny(text[at:], s.first)
		if offset < 0 {
			break
		}
		at += offset
		secret, end := s.match(text, at)
		if secret < 0 {
			at++
			continue
		}
		if match := text[secret:end]; !r.isReplacement(match) {
			out = append(append(out, text[copiedUntil:secret]...), r.replace(match, len(match))...)
			copiedUntil = end
		}
		at = end
	}
	if copiedUntil == 0 {
		return text
	}
	return string(append(out, text[copiedUntil:]...))
}
