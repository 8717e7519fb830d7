package reader

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/k6/exchanges"
	"assay/k6/stream"
)

const (
	// bufferBytes is the maximum size of one read.
	bufferBytes = 32 << 10
	// tailWait and tailBytes limit reading after done and reading of non-200 responses.
	tailWait  = 250 * time.Millisecond
	tailBytes = 64 << 10
)

// Options of Read.
type Options struct {
	// Timeout limits the time from sending to the end. It must be above 0.
	Timeout time.Duration
	Limits  stream.Limits
	// Gzip requests compression. A compressed response is always accepted.
	Gzip bool
	// Now returns the time in microseconds.
	Now func() int64
	// Recording records the exchange [nil].
	Recording *exchanges.Exchange
	// OnTimes is called with the times of the parts of a stream, stream.Never for missing ones [nil].
	OnTimes func(headers, firstEvent, firstMatch int64)
}

// work is the reusable memory of one Read.
type work struct {
	checker stream.Checker
	buffer  [bufferBytes]byte
}

var workPool = sync.Pool{New: func() any { return new(work) }}

// reading is a stream being read.
type reading struct {
	*work
	Options
	ctx    context.Context
	cancel context.CancelFunc
	result Result
	// hasContent is set after the first character that is not white space. isMarkup is set if that character is <.
	hasContent, isMarkup bool
}

// Read sends a request and reads the stream of its response. It returns when the stream ends, breaks, or reaches a
// limit or its deadline. It does not follow redirects.
func Read(ctx context.Context, transport http.RoundTripper, request *http.Request, options Options) Result {
	r := &reading{Options: options}
	r.result.HeadersAt = stream.Never
	r.result.RetryAfter = NoRetryAfter
	r.ctx, r.cancel = context.WithTimeout(ctx, options.Timeout)
	defer r.cancel()
	r.sendRequest(transport, request)
	defer workPool.Put(r.work)
	if r.isMarkup && r.checker.Events == 0 {
		r.handleWebPage()
	}
	r.result.Report = r.checker.Report
	if r.result.Ended == EndedDone {
		r.result.EndAt = r.checker.DoneAt
	}
	return r.result
}

// handleWebPage handles a web page instead of a stream, such as from a proxy or a login. The page does not violate rules
// about streams.
func (r *reading) handleWebPage() {
	r.checker.Reset(r.Limits)
	r.result.OtherContentType = false
	if r.result.Ended == EndedEOF {
		r.result.Ended = EndedStatus
	}
}

// detectMarkup detects markup at the start of a response.
func (r *reading) detectMarkup(b []byte) {
	if content := bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\uFEFF")), " \t\r\n\v\f"); !r.hasContent && len(content) > 0 {
		r.hasContent, r.isMarkup = true, content[0] == '<'
	}
}

// sendRequest sends the request and reads the response.
func (r *reading) sendRequest(transport http.RoundTripper, request *http.Request) {
	if r.Gzip {
		request.Header.Set("Accept-Encoding", "gzip")
	}
	var connected atomic.Bool
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }}
	request = request.WithContext(httptrace.WithClientTrace(r.ctx, trace))
	r.result.SendAt = r.Now()
	response, err := transport.RoundTrip(request)
	headersAt := r.Now()
	// Allocated only now, so that no memory is held while waiting for a response.
	r.work = workPool.Get().(*work)
	r.checker.Reset(r.Limits)
	r.result.EndAt = headersAt
	if err != nil {
		fallback := CauseConnect
		if connected.Load() {
			fallback = CauseNoAnswer
		}
		r.end(classifyFailure(r.ctx, err, fallback))
		return
	}
	defer response.Body.Close()
	r.Recording.Head(response)
	r.result.HeadersAt = headersAt
	r.result.Status = response.StatusCode
	if response.StatusCode != http.StatusOK {
		r.drainResponse(response)
		return
	}
	mediaType, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	r.result.OtherContentType = mediaType != "text/event-stream"
	r.readStream(response)
}

// drainResponse handles a response that is not a stream. It reads the body so that the connection can be reused.
func (r *reading) drainResponse(response *http.Response) {
	r.result.Ended = EndedStatus
	r.result.RetryAfter = retryAfter(response.Header.Get("Retry-After"), time.Now())
	// After a protocol switch the body is the connection itself, which has no deadline.
	if response.StatusCode != http.StatusSwitchingProtocols {
		r.drain(response.Body, func(body io.Reader) (int, error) {
			b, err := r.readFrom(body)
			return len(b), err
		})
	}
	r.result.EndAt = r.Now()
}

// drain reads the rest of a body for a short time, so that the connection can be reused.
func (r *reading) drain(body io.Reader, read func(body io.Reader) (int, error)) {
	timer := time.AfterFunc(tailWait, r.cancel)
	defer timer.Stop()
	for remaining := tailBytes; remaining > 0; {
		n, err := read(body)
		if remaining -= n; err != nil {
			return
		}
	}
}

// readFrom reads some bytes, which are valid until the next call. It sets EndAt to the time they arrived.
func (r *reading) readFrom(body io.Reader) ([]byte, error) {
	buffer := r.Recording.NextBuffer()
	isRecorded := buffer != nil
	if !isRecorded {
		buffer = r.buffer[:]
	}
	n, err := body.Read(buffer)
	r.result.EndAt = r.Now()
	if isRecorded {
		r.Recording.Advance(n, r.result.EndAt)
	}
	return buffer[:n], err
}

func (r *reading) readStream(response *http.Response) {
	body, ok := decodeBody(response)
	if !ok {
		r.end(EndedTransport, CauseEncoding)
		return
	}
	tailLength := 0
	if r.OnTimes != nil {
		r.OnTimes(r.result.HeadersAt, stream.Never, stream.Never)
	}
	for {
		b, err := r.readFrom(body)
		n, at := len(b), r.result.EndAt
		r.detectMarkup(b)
		wasDone := r.checker.Done()
		r.checker.Feed(b, at)
		if r.OnTimes != nil {
			r.OnTimes(r.result.HeadersAt, r.checker.FirstEventAt, r.checker.FirstMatchAt)
		}
		switch {
		case r.checker.Stopped():
			r.handleLimit()
			return
		case err != nil:
			r.handleEnd(err)
			if body != io.Reader(response.Body) {
				// The compressed data can end before the body.
				r.drain(response.Body, func(body io.Reader) (int, error) { return body.Read(r.buffer[:]) })
			}
			return
		case wasDone:
			tailLength += n
		case r.checker.Done():
			timer := time.AfterFunc(tailWait, r.cancel)
			defer timer.Stop()
		}
		if tailLength > tailBytes {
			r.result.IsOpen = true
			r.checker.Abandon()
			r.end(EndedDone, CauseNone)
			return
		}
	}
}

func (r *reading) end(ended Ended, cause Cause) {
	r.result.Ended, r.result.Cause = ended, cause
}

func (r *reading) handleLimit() {
	if r.checker.Limit == stream.TooManyEvents {
		r.end(EndedLimit, CauseEvents)
	} else {
		r.end(EndedLimit, CauseLine)
	}
}

// handleEnd handles the end of the body: normal, after done, or an error.
func (r *reading) handleEnd(err error) {
	isDone := r.checker.Done()
	switch {
	case err == io.EOF && isDone:
		r.checker.End()
		r.end(EndedDone, CauseNone)
	case err == io.EOF:
		r.checker.End()
		// The end of the stream may have completed the event done.
		if r.checker.DoneAt != stream.Never {
			r.end(EndedDone, CauseNone)
		} else {
			r.end(EndedEOF, CauseNone)
		}
	case isDone && r.ctx.Err() != nil:
		// The time limit for bytes after done has passed.
		r.result.IsOpen = true
		r.checker.Abandon()
		r.end(EndedDone, CauseNone)
	case isDone:
		r.checker.Abandon()
		r.end(EndedDone, CauseAfterDone)
	default:
		r.handleReadError(err)
	}
}

func (r *reading) handleReadError(err error) {
	switch err {
	case errBodyTooLarge:
		r.end(EndedLimit, CauseInflated)
	case errNotGzip:
		r.end(EndedTransport, CauseEncoding)
	default:
		r.end(classifyFailure(r.ctx, err, CauseReset))
	}
}

// retryAfter parses Retry-After, seconds or a date. It returns NoRetryAfter if the value is invalid.
func retryAfter(text string, now time.Time) time.Duration {
	const maxDelay = 24 * time.Hour
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return min(maxDelay, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(maxDelay, max(0, at.Sub(now)))
	}
	return NoRetryAfter
}
