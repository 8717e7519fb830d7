// Package reader reads one search stream over HTTP and checks its form as it arrives.
package reader

import (
	"time"

	"assay/k6/stream"
)

// Ended describes how a stream ended.
type Ended string

// The values of Ended.
const (
	// EndedDone: the event done arrived, regardless of what followed.
	EndedDone Ended = "done"
	// EndedEOF: the response ended normally without done.
	EndedEOF Ended = "eof"
	// EndedTimeout: the request reached its deadline.
	EndedTimeout Ended = "timeout"
	// EndedTransport: the connection failed or broke.
	EndedTransport Ended = "transport"
	// EndedLimit: a limit of Assay was reached.
	EndedLimit Ended = "limit"
	// EndedStatus: the status was not 200, or the body was a web page.
	EndedStatus Ended = "status"
	// EndedCanceled: the run ended first.
	EndedCanceled Ended = "canceled"
)

// NoRetryAfter means that there is no valid Retry-After.
const NoRetryAfter time.Duration = -1

// Result is the result of a stream. Times are microseconds on the run clock, stream.Never if absent.
type Result struct {
	stream.Report

	Status int
	Ended  Ended
	// Cause is from a closed list. It is empty if there was no failure.
	Cause     Cause
	SendAt    int64
	HeadersAt int64
	EndAt     int64
	// RetryAfter is set for responses with a status other than 200.
	RetryAfter time.Duration
	// OtherContentType is set if the content type is not an event stream.
	OtherContentType bool
	// IsOpen is set if the target kept the connection open after done.
	IsOpen bool
}

// Violated reports whether the contract was violated.
func (r *Result) Violated() bool {
	return r.Violations != [len(r.Violations)]int{}
}

// Outcome returns the outcome for results: how the stream ended, or a violation before that.
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
