package redact

import (
	"encoding/base64"
	"encoding/hex"
)

const (
	// shortestRun: no shorter run of letters is base64 or hexadecimal of a secret.
	shortestRun    = 12
	shortestHexRun = 16
)

var codingLetters = in(alnums + "+/_-")

// base64Places has by character a bit for each of the places among four that it has where text is packed.
var base64Places = func() (table [256]uint8) {
	for bit, class := range []string{
		"IJKLMNOPQRSTUVWXYZabcdef",
		"CDEFGHSTUVWXijklmnyz0123",
		"AEIMQUYcgkosw048BFJNRVZdhlptx159",
		alnums + "+/_-",
	} {
		for i := 0; i < len(class); i++ {
			table[class[i]] |= 1 << bit
		}
	}
	return
}()

// isBase64OfText: base64 of at least nine printable characters stands in the run, whatever is before it.
func isBase64OfText(run string) bool {
	for at := 0; at+12 <= len(run); at++ {
		n := 0
		for n < 12 && base64Places[run[at+n]]&(1<<(n&3)) != 0 {
			n++
		}
		if n == 12 {
			return true
		}
	}
	return false
}

// isHexOfText: hexadecimal of at least eight printable characters.
func isHexOfText(run string) bool {
	for at := 0; at+16 <= len(run); at++ {
		n := 0
		for n < 16 && isHex(run[at+n]) && (n&1 == 1 || (run[at+n] >= '2' && run[at+n] <= '7')) {
			n++
		}
		if n == 16 {
			return true
		}
	}
	return false
}

// eachRun calls use with runs of letters that are long enough, until it says false. Looks at one character in so many.
func eachRun(text string, use func(start, end int) bool) bool {
	behind := 0
	for at := shortestRun - 1; at < len(text); at += shortestRun {
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
		if end-start >= shortestRun && !use(start, end) {
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
		if isBase64OfText(run) {
			for skipped := range 4 {
				if !use(reading(given, decodeBase64(run[min(skipped, len(run)):]), start, end, skipped, 6)) {
					return false
				}
			}
		}
		if isHexOfText(run) {
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
