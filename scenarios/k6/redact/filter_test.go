package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// encodeRandomly writes each character in a random encoding or plain.
func encodeRandomly(random *rand.Rand, text string, plainOf int) string {
	var out strings.Builder
	for _, character := range text {
		raw := string(character)
		switch choice := random.IntN(plainOf); choice {
		case 0:
			for _, b := range []byte(raw) {
				fmt.Fprintf(&out, "%%%s%02x", strings.Repeat("25", random.IntN(3)), b)
			}
		case 1:
			for _, unit := range utf16Units(character) {
				fmt.Fprintf(&out, `%su%04X`, strings.Repeat(`\`, 1+random.IntN(3)), unit)
			}
		case 2:
			fmt.Fprintf(&out, "&#%d;", character)
		case 3:
			fmt.Fprintf(&out, "&amp;#x%x;", character)
		case 4:
			out.WriteString(strings.Repeat(`\`, strings.Count(`/"\`, raw)) + raw)
		case 5:
			out.WriteString("=\n" + raw)
		default:
			out.WriteString(raw)
		}
	}
	return out.String()
}

// encodeWhole returns the text unchanged or in base64 or hexadecimal, after up to three other bytes.
func encodeWhole(random *rand.Rand, text string) string {
	before := strings.Repeat("x", random.IntN(4))
	switch random.IntN(4) {
	case 0:
		return base64.StdEncoding.EncodeToString([]byte(before + text + "more"))
	case 1:
		return base64.URLEncoding.EncodeToString([]byte(before + base64.StdEncoding.EncodeToString([]byte(text))))
	case 2:
		return strings.ToUpper(hex.EncodeToString([]byte(before + text)))
	}
	return before + text
}

func TestFilterDoesNotMissSecrets(t *testing.T) {
	alphabets := []string{alnums, alnums, alnums + `/"\%&=;#{},`, `/"\%&=ab`, "0123456789abcdef", alnums + "äß€😀"}
	random := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 150 {
		from := []rune(alphabets[random.IntN(len(alphabets))])
		var secret strings.Builder
		for range minLength + random.IntN(30) {
			secret.WriteRune(from[random.IntN(len(from))])
		}
		quick, err := New(make([]byte, 32), []string{secret.String()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		slow, _ := New(make([]byte, 32), []string{secret.String()}, nil)
		slow.filter.acceptAll = true
		for range 20 {
			text := encodeRandomly(random, encodeWhole(random, secret.String()), []int{6, 30, 1000}[random.IntN(3)])
			text = strings.Repeat("y", random.IntN(5)) + "{\"a\":\"" + text + "\"} 100% a&b =c \\n"
			wanted := slow.Text(text)
			if got := quick.Text(text); got != wanted {
				t.Errorf("secret %q in %q: %q, not %q", secret.String(), text, got, wanted)
			}
			if wanted != text {
				found++
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d texts contain a secret", found)
	}
}

func TestSecretsWithoutLongPlainPart(t *testing.T) {
	for _, c := range []struct{ secret, text string }{
		{`ab!cd/ef!gh"ij!kl`, `say ab!cd\/ef!gh\"ij!kl`},
		{"12!34%41!567", "say 12!34%2541!567"},
		{"ab!de😀fg!hi", `say ab!de\ud83d\ude00fg!hi`},
	} {
		r, err := New(make([]byte, 32), []string{c.secret}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Text(c.text) == c.text {
			t.Errorf("%q is not found in %q", c.secret, c.text)
		}
	}
}
