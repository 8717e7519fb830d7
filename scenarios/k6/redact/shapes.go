package redact

import "strings"

// shape is a kind of text that is a secret by its look.
type shape struct {
	// first has the characters, all of them ASCII, that a match may begin with.
	first string
	// at takes a match that begins at a place where one of first stands: where the secret in it begins and where it ends,
	// and the match with it; below 0: none.
	at func(text string, at int) (secret, end int)
	// mayHold says whether anything of the shape can be in a text, of which the filter says what it found.
	mayHold func(text string, found sought) bool
}

func in(class string) *[256]bool {
	var table [256]bool
	for i := 0; i < len(class); i++ {
		table[class[i]] = true
	}
	return &table
}

const alnums = letters + "0123456789"

var (
	userPart   = in(alnums + "._~!$&()*+,;=%-")
	queryValue = in(alnums + "._~!$()*+,:/=%-")
	jwtPart    = in(alnums + "_-")
	wordPart   = in(alnums + "_")
	alnumPart  = in(alnums)
)

// span counts bytes of a class from a place, one more than most at most.
func span(text string, at int, class *[256]bool, most int) int {
	n := 0
	for n <= most && at+n < len(text) && class[text[at+n]] {
		n++
	}
	return n
}

// beginsWord: no word goes on at this place, or an escape of JSON ends there, whose letter belongs to no word.
func beginsWord(text string, at int) bool {
	if at == 0 || !jwtPart[text[at-1]] {
		return true
	}
	return at > 1 && text[at-2] == '\\' && strings.IndexByte("bfnrt", text[at-1]) >= 0
}

func byteIs(text string, at int, b byte) bool { return at < len(text) && text[at] == b }

func tokenAt(text string, at int) (int, int) {
	if !strings.HasPrefix(text[at:], "sg") || !byteIs(text, at+3, '_') || text[at+2] < 'a' || text[at+2] > 'z' || !beginsWord(text, at) {
		return -1, -1
	}
	from := at + 4
	if text[at+2] == 'p' {
		if n := min(1024, span(text, from, wordPart, 1024)); n >= 8 {
			return at, from + n
		}
	}
	if n := span(text, from, alnumPart, 64); n >= 1 && n <= 64 && byteIs(text, from+n, '_') {
		if more := min(1024, span(text, from+n+1, alnumPart, 1024)); more >= 16 {
			return at, from + n + 1 + more
		}
	}
	if n := min(1024, span(text, from, alnumPart, 1024)); n >= 16 {
		return at, from + n
	}
	return -1, -1
}

func jwtAt(text string, at int) (int, int) {
	if !strings.HasPrefix(text[at:], "eyJ") || !beginsWord(text, at) {
		return -1, -1
	}
	head := at + 3 + span(text, at+3, jwtPart, 4096)
	if n := head - at - 3; n < 8 || n > 4096 || !strings.HasPrefix(text[head:], ".eyJ") {
		return -1, -1
	}
	body := head + 4 + span(text, head+4, jwtPart, 16384)
	if n := body - head - 4; n < 8 || n > 16384 || !byteIs(text, body, '.') {
		return -1, -1
	}
	if n := span(text, body+1, jwtPart, 4096); n >= 8 && n <= 4096 {
		return at, body + 1 + n
	}
	return -1, -1
}

// afterScheme is where an address goes on behind `://`, each slash behind up to two backslashes; below 0 where none does.
func afterScheme(text string, at int) int {
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

func passwordAt(text string, at int) (int, int) {
	from := afterScheme(text, at)
	if from < 0 {
		return -1, -1
	}
	user := span(text, from, userPart, 256)
	if user > 256 || !byteIs(text, from+user, ':') {
		return -1, -1
	}
	secret := from + user + 1
	if n := span(text, secret, userPart, 256); n >= 1 && n <= 256 && byteIs(text, secret+n, '@') {
		return secret, secret + n
	}
	return -1, -1
}

func userAt(text string, at int) (int, int) {
	from := afterScheme(text, at)
	if from < 0 {
		return -1, -1
	}
	if n := span(text, from, userPart, 256); n >= 8 && n <= 256 && byteIs(text, from+n, '@') {
		return from, from + n
	}
	return -1, -1
}

var (
	queryBeginnings = []string{"?", "&", `\u0026`, "&amp;", "%26", "%3f"}
	queryNames      = []string{"token=", "access_token=", "filter_read_token="}
)

func hasFold(text string, at int, prefix string) bool {
	return at+len(prefix) <= len(text) && strings.EqualFold(text[at:at+len(prefix)], prefix)
}

func queryAt(text string, at int) (int, int) {
	for _, beginning := range queryBeginnings {
		if !hasFold(text, at, beginning) {
			continue
		}
		for _, name := range queryNames {
			from := at + len(beginning)
			if !hasFold(text, from, name) {
				continue
			}
			if n := min(4096, span(text, from+len(name), queryValue, 4096)); n > 0 {
				return from + len(name), from + len(name) + n
			}
		}
	}
	return -1, -1
}

// slash is where a text goes on behind a slash after up to two backslashes; below 0 where none is.
func slash(text string, at int) int {
	for n := 0; n < 2 && byteIs(text, at, '\\'); n++ {
		at++
	}
	if byteIs(text, at, '/') {
		return at + 1
	}
	return -1
}

var uuidParts = []int{8, 4, 4, 4, 12}

func uuidAt(text string, at int) int {
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

func linkAt(text string, at int) (int, int) {
	if !strings.HasPrefix(text[at:], linkHint) {
		return -1, -1
	}
	from := slash(text, at+len(linkHint))
	if from < 0 {
		return -1, -1
	}
	if strings.HasPrefix(text[from:], "shared") {
		if shared := slash(text, from+len("shared")); shared >= 0 {
			if end := uuidAt(text, shared); end >= 0 {
				return shared, end
			}
		}
	}
	if end := uuidAt(text, from); end >= 0 {
		return from, end
	}
	return -1, -1
}

// valuePart is what stands in a JSON string without an escape, spaces left out.
var valuePart = func() *[256]bool {
	var table [256]bool
	for b := '!'; b <= '~'; b++ {
		table[b] = b != '"' && b != '\\'
	}
	return &table
}()

func readTokenAt(text string, at int) (int, int) {
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
		length := readTokenPart(text[at:])
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

// readTokenPart is the length of the character of a read token that a text begins with, which may be escaped; 0 for no such one.
func readTokenPart(text string) int {
	switch {
	case valuePart[text[0]] || text[0] == ' ':
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

// linkHint and readTokenHint stand wherever a link or a read token does.
const (
	linkHint      = "deepsearch"
	readTokenHint = "read_token"
)

// shapes in the order in which they are replaced.
var shapes = []shape{
	{first: "s", at: tokenAt, mayHold: mayHoldToken},
	{first: "e", at: jwtAt, mayHold: mayHoldJWT},
	{first: ":", at: passwordAt, mayHold: mayHoldAddress},
	{first: ":", at: userAt, mayHold: mayHoldAddress},
	{first: `?&\%`, at: queryAt, mayHold: mayHoldQuery},
	{first: "d", at: linkAt, mayHold: func(_ string, found sought) bool { return found&aLink != 0 }},
	{first: `"`, at: readTokenAt, mayHold: func(_ string, found sought) bool { return found&aReadToken != 0 }},
}

// eachByte calls use with the places of a byte, until it says true; false where it never does.
func eachByte(text string, b byte, use func(at int) bool) bool {
	for at := 0; ; at++ {
		place := strings.IndexByte(text[at:], b)
		if place < 0 {
			return false
		}
		if at += place; use(at) {
			return true
		}
	}
}

// mayHoldToken: the rarest byte of sgp_ is the last one.
func mayHoldToken(text string, _ sought) bool {
	return eachByte(text, '_', func(at int) bool { return at >= 3 && text[at-3] == 's' && text[at-2] == 'g' })
}

// mayHoldJWT: the rarest byte of eyJ is the last one.
func mayHoldJWT(text string, _ sought) bool {
	return eachByte(text, 'J', func(at int) bool { return at >= 2 && text[at-2] == 'e' && text[at-1] == 'y' })
}

// mayHoldAddress: credentials in an address stand between a slash and an @.
func mayHoldAddress(text string, _ sought) bool {
	return eachByte(text, '@', func(at int) bool {
		from := at
		for from > 0 && (userPart[text[from-1]] || text[from-1] == ':') {
			from--
		}
		return from > 1 && from < at && text[from-1] == '/' && (text[from-2] == '/' || text[from-2] == '\\')
	})
}

func mayHoldQuery(text string, _ sought) bool {
	return eachByte(text, '=', func(at int) bool { return at >= 5 && text[at-1]|32 == 'n' && strings.EqualFold(text[at-5:at], "token") })
}

// replaceShape replaces what looks like a secret and was not replaced before.
func replaceShape(text string, s *shape, r *replacements) string {
	var out []byte
	copied := 0
	for at := 0; at < len(text); {
		place := strings.IndexAny(text[at:], s.first)
		if place < 0 {
			break
		}
		at += place
		secret, end := s.at(text, at)
		if secret < 0 {
			at++
			continue
		}
		if found := text[secret:end]; !r.isOne(found) {
			out = append(append(out, text[copied:secret]...), r.of(found, len(found))...)
			copied = end
		}
		at = end
	}
	if copied == 0 {
		return text
	}
	return string(append(out, text[copied:]...))
}
