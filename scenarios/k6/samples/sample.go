// Package samples writes the measurements of a run, one JSON object per line.
package samples

import (
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// None is the value of an absent number or time.
const None int64 = -1

// Sample measures one search, one call or one conversation. Times are microseconds on the run clock, None if absent.
type Sample struct {
	// Kind is stream, call or conversation.
	Kind  string
	Flow  string
	Phase string
	Side  string
	// Block and Pair are None outside paired comparisons.
	Block   int64
	Pair    int64
	Query   string
	Plan    int64
	Send    int64
	End     int64
	Outcome string
	// Status is 0 if there was no response.
	Status int64
	Codes  map[string]int

	// Only for streams. Ended describes how a stream ended. It is empty if the outcome already shows it.
	Ended      string
	Headers    int64
	FirstEvent int64
	FirstMatch int64
	Events     int64
	Matches    int64
	Bytes      int64

	// Only for calls.
	Operation string

	// Only for conversations.
	State    string
	LastOpen int64
	Polls    int64
}

// New returns a sample whose optional numbers and times are None.
func New(kind string) Sample {
	return Sample{Kind: kind, Block: None, Pair: None, Headers: None, FirstEvent: None, FirstMatch: None, LastOpen: None}
}

// append writes the sample as a line of JSON.
func (s *Sample) append(b []byte) []byte {
	o := object{b: append(b, '{')}
	o.text("kind", s.Kind)
	o.text("flow", s.Flow)
	o.text("phase", s.Phase)
	o.text("side", s.Side)
	o.countIf("block", s.Block)
	o.countIf("pair", s.Pair)
	o.text("query", s.Query)
	o.time("planMs", s.Plan)
	o.time("sendMs", s.Send)
	s.appendKindMembers(&o)
	o.time("endMs", s.End)
	o.text("outcome", s.Outcome)
	if s.Status != 0 {
		o.count("status", s.Status)
	}
	o.codes(s.Codes)
	return append(o.b, '}', '\n')
}

// appendKindMembers writes the members that only samples of this kind have.
func (s *Sample) appendKindMembers(o *object) {
	switch s.Kind {
	case "stream":
		if s.Ended != "" {
			o.text("ended", s.Ended)
		}
		o.timeIf("headersMs", s.Headers)
		o.timeIf("firstEventMs", s.FirstEvent)
		o.timeIf("firstMatchMs", s.FirstMatch)
		o.count("events", s.Events)
		o.count("matches", s.Matches)
		o.count("bytes", s.Bytes)
	case "call":
		o.text("operation", s.Operation)
	case "conversation":
		if s.State != "" {
			o.text("state", s.State)
		}
		o.timeIf("lastOpenMs", s.LastOpen)
		o.count("polls", s.Polls)
	}
}

// object writes members of a JSON object.
type object struct{ b []byte }

func (o *object) name(name string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, '"', ':')
}

func (o *object) text(name, value string) {
	o.name(name)
	// Bytes that are not UTF-8 become replacement characters.
	o.b, _ = jsontext.AppendQuote(o.b, value)
}

func (o *object) count(name string, value int64) {
	o.name(name)
	o.b = strconv.AppendInt(o.b, value, 10)
}

func (o *object) countIf(name string, value int64) {
	if value != None {
		o.count(name, value)
	}
}

// time writes microseconds as milliseconds, exactly.
func (o *object) time(name string, micros int64) {
	o.name(name)
	o.b = strconv.AppendFloat(o.b, float64(micros)/1e3, 'f', -1, 64)
}

func (o *object) timeIf(name string, micros int64) {
	if micros != None {
		o.time(name, micros)
	}
}

func (o *object) codes(codes map[string]int) {
	if len(codes) == 0 {
		return
	}
	o.name("codes")
	o.b = append(o.b, '{')
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if o.b[len(o.b)-1] != '{' {
			o.b = append(o.b, ',')
		}
		o.b, _ = jsontext.AppendQuote(o.b, code)
		o.b = append(o.b, ':')
		o.b = strconv.AppendInt(o.b, int64(codes[code]), 10)
	}
	o.b = append(o.b, '}')
}
