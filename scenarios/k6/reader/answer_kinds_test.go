package reader

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// answerCase is a response and its classification by the reader in TypeScript, which is tested with the same cases.
type answerCase struct {
	Name        string `json:"name"`
	Status      int    `json:"status"`
	ContentType string `json:"contentType"`
	Beginning   string `json:"beginning"`
	Kind        string `json:"kind"`
}

// outcomes maps the kind of a response to the outcome of the search. Responses of other kinds are checked as streams.
var outcomes = map[string]string{
	"web-page":        "bad-status",
	"informational":   "bad-status",
	"redirect":        "bad-status",
	"client-error":    "bad-status",
	"unauthorized":    "refused",
	"not-found":       "bad-status",
	"proxy-auth":      "bad-status",
	"rate-limited":    "distress",
	"not-implemented": "bad-status",
	"gateway-error":   "bad-status",
	"unavailable":     "distress",
	"server-error":    "bad-status",
}

func TestKindsOfAnswers(t *testing.T) {
	text, err := os.ReadFile("../../../packages/reading/fixtures/answer-kinds.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []answerCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, test := range cases {
		kinds[test.Kind] = true
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			answer := fmt.Sprintf("HTTP/1.1 %d Whatever\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", test.Status, test.ContentType, len(test.Beginning), test.Beginning)
			got := read(t, rawServer(t, says(answer)), Options{})
			want, isOther := outcomes[test.Kind]
			if isOther != (got.Ended == EndedStatus) || (isOther && (got.Outcome() != want || got.Violated())) {
				t.Errorf("%+v, outcome %s instead of %s", got, got.Outcome(), want)
			}
		})
	}
	if len(kinds) != len(outcomes)+4 {
		t.Errorf("%d kinds were tried", len(kinds))
	}
}
