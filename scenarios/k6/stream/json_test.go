package stream

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func accepts(text string, size int) *jsonReader {
	var r jsonReader
	for b := []byte(text); len(b) > 0; b = b[min(size, len(b)):] {
		r.feed(b[:min(size, len(b))])
	}
	return &r
}

func TestJSONIsWhatJSONParseAccepts(t *testing.T) {
	tests := []struct {
		text  string
		valid bool
	}{
		{`{}`, true}, {`[]`, true}, {`0`, true}, {`-0`, true}, {`-0.0e-0`, true}, {`1E+9`, true}, {`1e999`, true}, {`""`, true},
		{`true`, true}, {`false`, true}, {`null`, true}, {" \t\r\n[ 1 , 2 ] ", true},
		{`"\u0000\"\\\/\b\f\n\r\t"`, true}, {"\"\x7f\u2028\u2029\"", true}, {"\"\xff\"", true},
		{`"\ud800"`, true}, {`"\udc00\ud800"`, true}, {`{"a":1,"a":2}`, true}, {`{"":{"__proto__":[]}}`, true},
		{strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), true},
		{strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000), true},
		{``, false}, {` `, false}, {`{`, false}, {`[`, false}, {`]`, false}, {`}`, false}, {`[1,]`, false}, {`[,1]`, false}, {`{"a":1,}`, false},
		{`{,}`, false}, {`{"a"}`, false}, {`{"a":}`, false}, {`{a:1}`, false}, {`{'a':1}`, false}, {`{"a":1 "b":2}`, false}, {`{1:2}`, false},
		{`[1 2]`, false}, {`[1}`, false}, {`{"a":1]`, false}, {`{} {}`, false}, {`{}x`, false}, {`01`, false}, {`1.`, false}, {`.1`, false},
		{`+1`, false}, {`-`, false}, {`--1`, false}, {`1e`, false}, {`1e+`, false}, {`1e1.5`, false}, {`0x1`, false}, {`1_0`, false},
		{`NaN`, false}, {`Infinity`, false}, {`undefined`, false}, {`tru`, false}, {`truE`, false}, {`nulll`, false}, {`"`, false}, {`"\`, false},
		{`"\x41"`, false}, {`"\u12"`, false}, {`"\u12G4"`, false}, {"\"\t\"", false}, {"\"\x00\"", false}, {"\"\n\"", false}, {"\"\x1f\"", false},
		{"\ufeff{}", false}, {"{}\x00", false}, {"\xa0{}", false}, {"\v{}", false}, {`// c`, false}, {`{}//`, false}, {`'a'`, false},
		{strings.Repeat("[", 100_000), false},
	}
	for _, test := range tests {
		name := test.text[:min(30, len(test.text))]
		for _, size := range []int{1, 2, 3, 7, 8, 9, 1 << 20} {
			if accepts(test.text, size).end() != test.valid {
				t.Errorf("%q in pieces of %d: valid is not %v", name, size, test.valid)
			}
		}
	}
}

func TestJSONCountsWhatItNeeds(t *testing.T) {
	tests := []struct {
		text     string
		elements int
		empty    bool
	}{
		{`[]`, 0, false}, {`[[]]`, 1, false}, {`[1,"a,b",[1,2,3],{"a":[1,2]},null]`, 5, false}, {` [ [ 1 , 2 ] , -1 ] `, 2, false},
		{`{}`, 0, true}, {" {\t} ", 0, true}, {`{"a":{}}`, 0, false}, {`{"a":[1,2]}`, 0, false}, {`[{}]`, 1, false}, {`1`, 0, false}, {`"[1,2]"`, 0, false},
	}
	for _, test := range tests {
		for _, size := range []int{1, 2, 100} {
			r := accepts(test.text, size)
			if !r.end() || r.elementCount != test.elements || r.isEmptyObject != test.empty {
				t.Errorf("%s: valid %v, %d elements, empty object %v", test.text, r.end(), r.elementCount, r.isEmptyObject)
			}
		}
	}
}

// agree compares with the reader that k6 depends on; it does not go deeper than 10 000 levels.
func agree(t *testing.T, text string, size int) {
	t.Helper()
	want := jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	r := accepts(text, size)
	if r.end() != want {
		t.Fatalf("%q in pieces of %d: valid is not %v", text, size, want)
	}
	var list []json.RawMessage
	if want && json.Unmarshal([]byte(text), &list) == nil && len(list) != r.elementCount {
		t.Fatalf("%q: %d elements, not %d", text, r.elementCount, len(list))
	}
}

func TestJSONAgreesWithASecondReader(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{
		"{", "}", "[", "]", ",", ":", `"`, `\`, "u0", "0", "1", "-", ".", "e", "+", "true", "null", " ", "\t", "\"a\"", "é", "\xff", "\x01",
		`"a":`, "[1]", `{"b":2}`, `"\u00e9"`, "false",
	}
	for range 200_000 {
		var text strings.Builder
		for range random.IntN(12) {
			text.WriteString(words[random.IntN(len(words))])
		}
		agree(t, text.String(), 1+random.IntN(10))
	}
}

func TestJSONAgreesAboutDamagedTexts(t *testing.T) {
	const whole = `[{"type":"content","n":-12.5e+3,"ok":true,"none":null,"list":[[],{},"\u00e9\n"]},{"":""},0]`
	random := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		text := []byte(whole)
		for range 1 + random.IntN(2) {
			text[random.IntN(len(text))] = byte(random.IntN(256))
		}
		agree(t, string(text[:len(text)-random.IntN(2)*random.IntN(len(text))]), 1+random.IntN(40))
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`[{"a":1}]`, 3)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if strings.Count(text, "[")+strings.Count(text, "{") < 10_000 {
			agree(t, text, 1+max(0, size%64))
		}
	})
}
