package redact

import (
	"encoding/base64"
	"encoding/hex"
)

const (
	// minRunLength is the minimum length of the base64 of a secret, minHexRunLength that of its hexadecimal digits.
	minRunLength    = 12
	minHexRunLength = 16
)

var codedBytes = byteSet(alnums + "+/_-")

// positionBits maps a byte to the positions where it may occur in encoded printable text, one bit each: 12 positions
// for the base64 of nine characters, then 16 for the hexadecimal digits of eight.
var positionBits = func() (table [256]uint32) {
	for position, class := range []string{
		"IJKLMNOPQRSTUVWXYZabcdef",
		"CDEFGHSTUVWXijklmnyz0123",
		"AEIMQUYcgkosw048BFJNRVZdhlptx159",
		alnums + "+/_-",
	} {
		for i := 0; i < len(class); i++ {
			for at := position; at < minRunLength; at += 4 {
				table[class[i]] |= 1 << at
			}
		}
	}
	for b := range 256 {
		for at := 0; at < minHexRunLength; at++ {
			if isHex(byte(b)) && (at&1 == 1 || (b >= '2' && b <= '7')) {
				table[b] |= 1 << (minRunLength + at)
			}
		}
	}
	return
}()

// detectCodedText reports whether a run contains the base64 of at least nine printable characters, at any alignment,
// and whether it contains the hexadecimal digits of at least eight.
func detectCodedText(run string) (isBase64, isHex bool) {
	const (
		firstPositions  = 1 | 1<<minRunLength
		lastPositions   = 1<<(minRunLength-1) | 1<<(minRunLength+minHexRunLength-1)
		base64Positions = 1<<minRunLength - 1
	)
	// A bit is set if the last characters may occur at the positions up to the one of this bit.
	var possible, completed uint32
	for i := 0; i < len(run); i++ {
		possible = (possible<<1 | firstPositions) & positionBits[run[i]]
		completed |= possible & lastPositions
	}
	return completed&base64Positions != 0, completed&^base64Positions != 0
}

// forEachRun calls visit with each run of at least minRunLength coded bytes, until visit returns false. It samples only
// every minRunLength-th byte.
func forEachRun(text string, visit func(start, end int) bool) bool {
	searchedUntil := 0
	for at := minRunLength - 1; at < len(text); at += minRunLength {
		if !codedBytes[text[at]] {
			continue
		}
		start, end := at, at+1
		for start > searchedUntil && codedBytes[text[start-1]] {
			start--
		}
		for end < len(text) && codedBytes[text[end]] {
			end++
		}
		if end-start >= minRunLength && !visit(start, end) {
			return false
		}
		searchedUntil = end
		at = end - 1
	}
	return true
}

// forEachCoded calls visit with the decoded text of each part that is base64 or hexadecimal, until visit returns false.
func forEachCoded(outer layer, visit func(part layer) bool) bool {
	text := outer.text
	return forEachRun(text, func(start, end int) bool {
		run := text[start:end]
		isBase64, isHex := detectCodedText(run)
		if isBase64 {
			for skipped := range 4 {
				if !visit(decodedPart(outer, decodeBase64(run[min(skipped, len(run)):]), start, end, skipped, 6)) {
					return false
				}
			}
		}
		if isHex {
			return forEachHexRun(outer, start, end, visit)
		}
		return true
	})
}

func forEachHexRun(outer layer, start, end int, visit func(part layer) bool) bool {
	text := outer.text
	for at := start; at < end; at++ {
		n := hexRun(text[:end], at, end-at)
		if n >= minHexRunLength {
			for skipped := range 2 {
				if !visit(decodedPart(outer, decodeHex(text[at+skipped:at+n]), at, at+n, skipped, 4)) {
					return false
				}
			}
		}
		at += n
	}
	return true
}

func decodedPart(outer layer, decoded []byte, start, end, skipped, bits int) layer {
	if outer.isUntraced {
		return layer{text: string(decoded), isUntraced: true}
	}
	return layer{text: string(decoded), source: func(at int) int {
		return outer.sourceIndex(start + min(end-start, skipped+at*8/bits))
	}}
}

// decodeBase64 accepts the standard and the URL alphabet, and any length.
func decodeBase64(run string) []byte {
	standard := []byte(run)
	for i, b := range standard {
		switch b {
		case '-':
			standard[i] = '+'
		case '_':
			standard[i] = '/'
		}
	}
	if len(standard)%4 == 1 {
		standard = standard[:len(standard)-1]
	}
	decoded := make([]byte, base64.RawStdEncoding.DecodedLen(len(standard)))
	n, _ := base64.RawStdEncoding.Decode(decoded, standard)
	return decoded[:n]
}

func decodeHex(run string) []byte {
	decoded := make([]byte, len(run)/2)
	n, _ := hex.Decode(decoded, []byte(run[:len(run)/2*2]))
	return decoded[:n]
}
