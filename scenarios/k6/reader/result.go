// Package reader reads one search stream over HTTP and judges its form while it comes.
package reader

import (
	"time"

	"assay/k6/stream"
)

// Ended says how a stream ended.
type Ended string

// The ways.
const (
	// EndedDone: with the event done, whatever came after it.
	EndedDone Ended = "done"
	// EndedEOF: in good order of HTTP, but without done.
	EndedEOF Ended = "eof"
	// EndedTimeout: at the deadline of this request.
	EndedTimeout Ended = "timeout"
	// EndedTransport: no connection, or it broke.
	EndedTransport Ended = "transport"
	// EndedLimit: at a limit of the harness.
	EndedLimit Ended = "limit"
	// EndedStatus: the status was not 200, or with it came a web page in the place of a stream.
	EndedStatus Ended = "status"
	// EndedCanceled: the run ended first.
	EndedCanceled Ended = "canceled"
)

// NoRetryAfter: the answer did not say when to come again.
const NoRetryAfter time.Duration = -1

// Result is what is known of a stream when it ended. Instants are microseconds of the clock, stream.Never where they
// did not come.
type Result struct {
	stream.Report

	Status int
	Ended  Ended
	// Cause is one of a few words, without text of the target; empty when nothing went wrong.
	Cause     Cause
	SendAt    int64
	HeadersAt int64
	EndAt     int64
	// RetryAfter as an answer with another status than 200 asks for.
	RetryAfter time.Duration
	// OtherContentType: the answer does not call itself an event stream.
	OtherContentType bool
	// IsOpen: the target did not close the connection after done, so this side did.
	IsOpen bool
}

// Violated says whether the contract was broken.
func (r *Result) Violated() bool {
	return r.Violations != [len(r.Violations)]int{}
}

// Outcome is the word for results: how the stream ended, or that the contract was broken before it did.
func (r *Result) Outcome() string {
	switch {
	case r.Ended == EndedStatus:
		return statusOutcome(r.Status)
	case r.Violated():
		return "violation"
	case r.Ended == EndedDone:
		return "ok"
	}
	return string(r.Ended)
}

func statusOutcome(status int) string {
	switch status {
	case 401, 403:
		return "refused"
	case 429, 503:
		return "distress"
	}
	return "bad-status"
}
