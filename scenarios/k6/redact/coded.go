package redact

import (
	"encoding/base64"
	"encoding/hex"
)

const (
	// minRun: no shorter run of letters is base64 or hexadecimal of a secret.
	minRun         = 12
	shortestHexRun = 16
)

var codingLetters = in(alnums + "+/_-")

// textCodes has by character a bit for each of the places in base64 and in hexadecimal of printable text where it may
// stand: 12 for base64 of nine characters, 16 behind them for hexadecimal of eight.
var textCodes = func() (table [256]uint32) {
	for place, class := range []string{
		"IJKLMNOPQRSTUVWXYZabcdef",
		"CDEFGHSTUVWXijklmnyz0123",
		"AEIMQUYcgkosw048BFJNRVZdhlptx159",
		alnums + "+/_-",
	} {
		for i := 0; i < len(class); i++ {
			for at := place; at < minRun; at += 4 {
				table[class[i]] |= 1 << at
			}
		}
	}
	for b := range 256 {
		for at := 0; at < shortestHexRun; at++ {
			if isHex(byte(b)) && (at&1 == 1 || (b >= '2' && b <= '7')) {
				table[b] |= 1 << (minRun + at)
			}
		}
	}
	return
}()

// isCodedText says whether base64 of at least nine printable characters stands in a run, whatever is before it, and
// whether hexadecimal of at least eight does.
func isCodedText(run string) (isBase64, isHex bool) {
	const (
		starts  = 1 | 1<<minRun
		ends    = 1<<(minRun-1) | 1<<(minRun+shortestHexRun-1)
		ofFirst = 1<<minRun - 1
	)
	// A bit for each place that was reached by characters that all may stand where they do.
	var reached, ended uint32
	for i := 0; i < len(run); i++ {
		reached = (reached<<1 | starts) & textCodes[run[i]]
		ended |= reached & ends
	}
	return ended&ofFirst != 0, ended&^ofFirst != 0
}

// eachRun calls use with runs of letters that are long enough, until it returns false. It looks only at every nth character.
func eachRun(text string, use func(start, end int) bool) bool {
	behind := 0
	for at := minRun - 1; at < len(text); at += minRun {
		if !codingLetters[text[at]] {
			continue
		}
		start, end := at, at+1
		for start > behind && codingLetters[text[start-1]] {
			start--
		}
		for end < len(text) && codingLetters[text[end]] {
			end++
		}
		if end-start >= minRun && !use(start, end) {
			return false
		}
		behind = end
		at = end - 1
	}
	return true
}

// eachCoded calls use with the parts of a text that are base64 or hexadecimal of text, decoded, until it says false.
func eachCoded(given layer, use func(part layer) bool) bool {
	text := given.text
	return eachRun(text, func(start, end int) bool {
		run := text[start:end]
		isBase64, isHex := isCodedText(run)
		if isBase64 {
			for skipped := range 4 {
				if !use(reading(given, decodeBase64(run[min(skipped, len(run)):]), start, end, skipped, 6)) {
					return false
				}
			}
		}
		if isHex {
			return eachHexRun(given, start, end, use)
		}
		return true
	})
}

func eachHexRun(given layer, start, end int, use func(part layer) bool) bool {
	text := given.text
	for at := start; at < end; at++ {
		n := hexRun(text[:end], at, end-at)
		if n >= shortestHexRun {
			for skipped := range 2 {
				if !use(reading(given, decodeHex(text[at+skipped:at+n]), at, at+n, skipped, 4)) {
					return false
				}
			}
		}
		at += n
	}
	return true
}

func reading(given layer, decoded []byte, start, end, skipped, bits int) layer {
	if given.isUntraced {
		return layer{text: string(decoded), isUntraced: true}
	}
	return layer{text: string(decoded), source: func(at int) int {
		return given.from(start + min(end-start, skipped+at*8/bits))
	}}
}

// decodeBase64 takes either alphabet and whatever length.
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
