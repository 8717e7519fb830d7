package redact

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
)

const (
	// gramLength is the length of the parts of needles that are looked up. Texts are sampled at every gramLength-th byte.
	gramLength = 4
	// minNeedleLength guarantees that a sampled gram lies inside the needle, wherever the needle starts.
	minNeedleLength = 2*gramLength - 1
	// minHexDigits is the required number of matching hexadecimal digits. Other digits, such as those of commits, are common.
	minHexDigits = 12
	// caseBits converts the letters of a gram to lower case.
	caseBits = 0x20202020
)

// kinds is a set of the kinds of secrets that a needle indicates.
type kinds uint8

const (
	// kindSecret is a known secret in any spelling.
	kindSecret kinds = 1 << iota
	// kindLink and kindReadToken are recognised by the text before them.
	kindLink
	kindReadToken
)

type needle struct {
	text string
	kind kinds
	// minMatch is the required number of consecutive matching bytes.
	minMatch int
}

// position is the offset of a gram in a needle.
type position struct{ needle, offset int }

// filter quickly rules out texts without secrets. It may report a text that contains no secret, but never misses a
// secret, in any encoding. Nearly all texts contain none, so this check is most of the cost of storing them.
type filter struct {
	bloom   [1 << 10]uint64
	grams   map[uint32][]position
	needles []needle
	// shortNeedles are too short for a whole gram.
	shortNeedles []string
	// acceptAll is set if a secret has spellings that the filter cannot detect.
	acceptAll bool
}

func newFilter() *filter {
	f := &filter{grams: map[uint32][]position{}}
	f.add(needle{linkHint, kindLink, len(linkHint)})
	f.add(needle{readTokenHint, kindReadToken, len(readTokenHint)})
	return f
}

func bloomPosition(gram uint32) (word, bit uint32) {
	h := gram * 0x9e3779b1 >> 16
	return h >> 6, h & 63
}

func (f *filter) add(n needle) {
	f.needles = append(f.needles, n)
	for at := 0; at+gramLength <= len(n.text); at++ {
		gram := binary.LittleEndian.Uint32([]byte(n.text[at:])) | caseBits
		f.grams[gram] = append(f.grams[gram], position{len(f.needles) - 1, at})
		word, bit := bloomPosition(gram)
		f.bloom[word] |= 1 << bit
	}
}

func (f *filter) addSecretPart(text string, minMatch int) {
	if len(text) < minNeedleLength {
		f.shortNeedles = append(f.shortNeedles, text)
		return
	}
	f.add(needle{text, kindSecret, min(minMatch, len(text))})
}

// addSecret adds the parts of a secret that are always present after encodings are removed.
func (f *filter) addSecret(k *knownSecret) {
	f.addSecretPart(k.value, minNeedleLength)
	for _, coded := range k.decodedPatterns[1:4] {
		f.addSecretPart(coded.required, minNeedleLength)
	}
	f.addSecretPart(hex.EncodeToString([]byte(k.value)), minHexDigits)
	f.acceptAll = f.acceptAll || longestPlainPart(k.value) < minNeedleLength
}

// longestPlainPart returns the length of the longest part that decoding leaves intact. It splits at characters with
// spellings that decoding does not cover, such as a slash after backslashes or a surrogate pair, and at characters that
// may start an encoded sequence.
func longestPlainPart(value string) int {
	longest := 0
	for _, part := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune("\\/\"%&=", c) || c > 0xffff }) {
		longest = max(longest, len(part))
	}
	return longest
}

// scan returns the kinds of secrets that a text may contain unencoded.
func (f *filter) scan(text string) (secretKinds kinds) {
	for at := 0; at+gramLength <= len(text); at += gramLength {
		gram := (uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16 | uint32(text[at+3])<<24) | caseBits
		if word, bit := bloomPosition(gram); f.bloom[word]>>bit&1 != 0 {
			secretKinds |= f.matchNeedles(text, at, gram)
		}
	}
	for _, shortNeedle := range f.shortNeedles {
		if strings.Contains(text, shortNeedle) {
			secretKinds |= kindSecret
		}
	}
	return secretKinds
}

// matchNeedles returns the kinds of the needles that match around a gram found at an index.
func (f *filter) matchNeedles(text string, at int, gram uint32) (secretKinds kinds) {
	for _, p := range f.grams[gram] {
		n := &f.needles[p.needle]
		length := commonSuffix(text[:at], n.text[:p.offset]) + commonPrefix(text[at:], n.text[p.offset:])
		if length >= n.minMatch {
			secretKinds |= n.kind
		}
	}
	return secretKinds
}

// commonPrefix returns the length of the common prefix, ignoring the case of letters.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n]|0x20 == b[n]|0x20 {
		n++
	}
	return n
}

// commonSuffix returns the length of the common suffix, ignoring the case of letters.
func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n]|0x20 == b[len(b)-1-n]|0x20 {
		n++
	}
	return n
}

// mayContainSecret reports whether a text may contain a secret, encoded or not. secretKinds is the result of scan for
// the text. codings is the number of base64 and hexadecimal levels already decoded.
func (f *filter) mayContainSecret(outer layer, secretKinds kinds, codings int) bool {
	if f.acceptAll || secretKinds&kindSecret != 0 {
		return true
	}
	layers := decodeLayers(outer)
	for i := range layers {
		if f.scan(layers[i].text)&kindSecret != 0 {
			return true
		}
	}
	if codings == maxNestedCodings {
		return false
	}
	isClean := func(part layer) bool { return !f.mayContainSecret(part, f.scan(part.text), codings+1) }
	if !forEachCoded(outer, isClean) {
		return true
	}
	for i := range layers {
		if !forEachCoded(layers[i], isClean) {
			return true
		}
	}
	return false
}
