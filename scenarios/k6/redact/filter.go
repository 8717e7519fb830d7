package redact

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
)

const (
	// gramBytes long pieces of needles are looked for at every gramBytes-th place of a text.
	gramBytes = 4
	// minNeedle bytes hold a whole gram wherever they stand.
	minNeedle = 2*gramBytes - 1
	// minDigits of a needle in hexadecimal have to stand there: texts are full of other digits, such as commits.
	minDigits = 12
	// fold is what makes letters of a gram lower case.
	fold = 0x20202020
)

// sought says what a needle is part of.
type sought uint8

const (
	// aSecret in some spelling.
	aSecret sought = 1 << iota
	// aLink and aReadToken are secrets by what stands before them.
	aLink
	aReadToken
)

type needle struct {
	text string
	what sought
	// least is how many bytes of it have to stand together.
	least int
}

// place is where in a needle a gram stands.
type place struct{ needle, offset int }

// filter says quickly that nothing is there: false only where no secret, in no encoding, is in a text. Nearly all texts
// hold none, and to find that out is most of what it costs to keep them.
type filter struct {
	bloom   [1 << 10]uint64
	grams   map[uint32][]place
	needles []needle
	// short are needles without a whole gram.
	short []string
	// all: some secret has spellings for which there is no quick answer.
	all bool
}

func newFilter() *filter {
	f := &filter{grams: map[uint32][]place{}}
	f.add(needle{linkHint, aLink, len(linkHint)})
	f.add(needle{readTokenHint, aReadToken, len(readTokenHint)})
	return f
}

func bloomPlace(gram uint32) (word, bit uint32) {
	h := gram * 0x9e3779b1 >> 16
	return h >> 6, h & 63
}

func (f *filter) add(n needle) {
	f.needles = append(f.needles, n)
	for at := 0; at+gramBytes <= len(n.text); at++ {
		gram := binary.LittleEndian.Uint32([]byte(n.text[at:])) | fold
		f.grams[gram] = append(f.grams[gram], place{len(f.needles) - 1, at})
		word, bit := bloomPlace(gram)
		f.bloom[word] |= 1 << bit
	}
}

func (f *filter) addPart(text string, least int) {
	if len(text) < minNeedle {
		f.short = append(f.short, text)
		return
	}
	f.add(needle{text, aSecret, min(least, len(text))})
}

// addSecret adds what is always there where the secret is, once encodings are taken off.
func (f *filter) addSecret(k *known) {
	f.addPart(k.value, minNeedle)
	for _, coded := range k.bare[1:4] {
		f.addPart(coded.plain, minNeedle)
	}
	f.addPart(hex.EncodeToString([]byte(k.value)), minDigits)
	f.all = f.all || longestPlain(k.value) < minNeedle
}

// longestPlain is the length of the longest part of which no character has spellings that encodings do not explain, such
// as a slash behind backslashes or a pair of surrogates, and none is taken for the beginning of something encoded.
func longestPlain(value string) int {
	longest := 0
	for _, part := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune("\\/\"%&=", c) || c > 0xffff }) {
		longest = max(longest, len(part))
	}
	return longest
}

// find says what a text may hold as it stands.
func (f *filter) find(text string) (found sought) {
	for at := 0; at+gramBytes <= len(text); at += gramBytes {
		gram := (uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16 | uint32(text[at+3])<<24) | fold
		if word, bit := bloomPlace(gram); f.bloom[word]>>bit&1 != 0 {
			found |= f.around(text, at, gram)
		}
	}
	for _, short := range f.short {
		if strings.Contains(text, short) {
			found |= aSecret
		}
	}
	return found
}

// around says of what enough stands there, of those that have the gram at a place.
func (f *filter) around(text string, at int, gram uint32) (found sought) {
	for _, p := range f.grams[gram] {
		n := &f.needles[p.needle]
		length := likeBefore(text[:at], n.text[:p.offset]) + likeBehind(text[at:], n.text[p.offset:])
		if length >= n.least {
			found |= n.what
		}
	}
	return found
}

// likeBehind and likeBefore count what is alike from the beginning and from the end, but for the case of letters.
func likeBehind(one, other string) int {
	n := 0
	for n < len(one) && n < len(other) && one[n]|0x20 == other[n]|0x20 {
		n++
	}
	return n
}

func likeBefore(one, other string) int {
	n := 0
	for n < len(one) && n < len(other) && one[len(one)-1-n]|0x20 == other[len(other)-1-n]|0x20 {
		n++
	}
	return n
}

// mayHoldSecret says whether a text may hold a secret, as it stands or in an encoding; found is what find says of it.
func (f *filter) mayHoldSecret(given layer, found sought, codings int) bool {
	if f.all || found&aSecret != 0 {
		return true
	}
	layers := decodedLayers(given)
	for i := range layers {
		if f.find(layers[i].text)&aSecret != 0 {
			return true
		}
	}
	if codings == maxCodings {
		return false
	}
	isClean := func(part layer) bool { return !f.mayHoldSecret(part, f.find(part.text), codings+1) }
	if !eachCoded(given, isClean) {
		return true
	}
	for i := range layers {
		if !eachCoded(layers[i], isClean) {
			return true
		}
	}
	return false
}
