package redact

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"testing"
)

const fixtures = "../../../packages/evidence/fixtures/redaction.ndjson"

// example is a text and its redaction by the redactor in TypeScript.
type example struct {
	Name         string      `json:"name"`
	Secrets      []string    `json:"secrets"`
	HeaderNames  []string    `json:"headerNames"`
	Learn        string      `json:"learn"`
	Base64       string      `json:"base64"`
	Redacted     string      `json:"redacted"`
	Headers      [][2]string `json:"headers"`
	HeadersAfter [][2]string `json:"headersAfter"`
}

func decoded(t *testing.T, text string) string {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestFixturesOfTypeScriptRedactor(t *testing.T) {
	path := fixtures
	if other := os.Getenv("ASSAY_REDACTION_FIXTURES"); other != "" {
		path = other
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	key := make([]byte, 32)
	for i := range key {
		key[i] = 7
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	count := 0
	for lines.Scan() {
		var e example
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		count++
		redactor, err := New(key, e.Secrets, e.HeaderNames)
		if err != nil {
			t.Fatal(err)
		}
		redactor.Learn(e.Learn)
		given, wanted := decoded(t, e.Base64), decoded(t, e.Redacted)
		if got := redactor.Text(given); got != wanted {
			t.Errorf("%s:\n given %q\n wanted %q\n got %q", e.Name, given, wanted, got)
		}
		for i, header := range e.Headers {
			name, value := redactor.Header(header[0], header[1])
			if after := e.HeadersAfter[i]; after != [2]string{name, value} {
				t.Errorf("%s: header %q became %q: %q, not %q", e.Name, header, name, value, after)
			}
		}
	}
	if count < 500 || lines.Err() != nil {
		t.Errorf("only %d examples: %v", count, lines.Err())
	}
}
