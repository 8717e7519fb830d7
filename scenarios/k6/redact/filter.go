package redact

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// gramBytes long pieces of what is looked for are found at every gramBytes-th place of a text.
const gramBytes = 4

// leastNeedle bytes hold a whole gram wherever they stand.
const leastNeedle = 2*gramBytes - 1

// filter says quickly that nothing is there: false only where no secret, in no encoding, is in a text.
type filter struct {
	bloom [1 << 13]uint64
	grams map[uint32]struct{}
	// short are needles without a whole gram, folded are in lower case.
	short []string
	// all: some secret has spellings for which there is no quick answer.
	all bool
}

func newFilter() *filter { return &filter{grams: map[uint32]struct{}{}} }

func bloomPlace(gram uint32) (word, bit uint32) {
	h := gram * 0x9e3779b1 >> 13
	return h >> 6, h & 63
}

func (f *filter) add(needle string) {
	if len(needle) < leastNeedle {
		f.short = append(f.short, needle)
		return
	}
	for at := 0; at+gramBytes <= len(needle); at++ {
		gram := binary.LittleEndian.Uint32([]byte(needle[at:]))
		f.grams[gram] = struct{}{}
		word, bit := bloomPlace(gram)
		f.bloom[word] |= 1 << bit
	}
}

// addSecret adds what is always there where the secret is, once encodings are taken off; hexadecimal in lower case.
func (f *filter) addSecret(k *known) {
	f.add(k.value)
	for _, coded := range k.bare[1:4] {
		f.add(coded.plain)
	}
	f.add(hex.EncodeToString([]byte(k.value)))
	f.all = f.all || longestPlain(k.value) < leastNeedle
}

// longestPlain is the length of the longest part of which no character has spellings that encodings do not explain, such
// as a slash behind backslashes.
func longestPlain(value string) int {
	longest := 0
	for _, part := range strings.FieldsFunc(value, func(c rune) bool { return c == '\\' || c == '/' || c == '"' }) {
		longest = max(longest, len(part))
	}
	return longest
}

const foldBits = 0x20202020

func (f *filter) has(gram uint32) bool {
	word, bit := bloomPlace(gram)
	if f.bloom[word]>>bit&1 == 0 {
		return false
	}
	_, found := f.grams[gram]
	return found
}

// mayHold says whether a text may hold a needle as it stands.
func (f *filter) mayHold(text string) bool {
	for at := 0; at+gramBytes <= len(text); at += gramBytes {
		gram := uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16 | uint32(text[at+3])<<24
		if f.has(gram) || f.has(gram|foldBits) {
			return true
		}
	}
	for _, needle := range f.short {
		if strings.Contains(text, needle) {
			return true
		}
	}
	return false
}

// mayHoldEncoded says whether a text may hold a secret, also in encodings.
func (f *filter) mayHoldEncoded(given layer, codings int) bool {
	if f.all && strings.IndexByte(given.text, '\\') >= 0 {
		return true
	}
	if f.mayHold(given.text) {
		return true
	}
	layers := decodedLayers(given)
	for i := range layers {
		if f.mayHold(layers[i].text) {
			return true
		}
	}
	if codings == mostCodings {
		return false
	}
	for _, one := range append([]layer{given}, layers...) {
		isClean := eachCoded(one, func(part layer) bool { return !f.mayHoldEncoded(part, codings+1) })
		if !isClean {
			return true
		}
	}
	return false
}
