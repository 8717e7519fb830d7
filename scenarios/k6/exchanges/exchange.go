package exchanges

import (
	"net/http"
	"sync"
	"sync/atomic"
)

const (
	// bufferBytes is the size of a buffer, which takes at least minRoom bytes of a read.
	bufferBytes = 32 << 10
	minRoom     = 4 << 10
	// maxChunks limits the chunks of one body. The last one takes the rest.
	maxChunks = 32_768
	// longPiece is the minimum length of a part of a split event.
	longPiece = 32 << 10
	// maxPieceBytes limits an event that cannot be split, or a body that is not a stream.
	maxPieceBytes = 16 << 20
)

// exchanges are reused after they are written, except lost ones.
var exchanges = sync.Pool{New: func() any { return new(Exchange) }}

// free resets an exchange for reuse.
func (e *Exchange) free() {
	e.recorder, e.meta, e.request, e.requestBody, e.status, e.header, e.version = nil, Meta{}, nil, "", 0, nil, 0
	e.chunks, e.merged, e.buffer, e.filled, e.end, e.isThinned = e.chunks[:0], 0, nil, 0, End{}, false
	e.pending, e.scanned, e.parts, e.count, e.since, e.last, e.building = e.pending[:0], 0, e.parts[:0], 0, 0, 0, nil
	e.expected, e.matched = nil, 0
	if cap(e.pending) <= 2*bufferBytes {
		exchanges.Put(e)
	}
}

var buffers = sync.Pool{New: func() any { return new([bufferBytes]byte) }}

// chunk is data that arrived together, with its time.
type chunk struct {
	bytes int64
	at    int64
}

// Meta is the data of an exchange before it is sent.
type Meta struct {
	// Group is thinned out separately: Search or Conversation.
	Group Group
	// Interface is stream, legacy or current.
	Interface string
	// Session is the conversation; empty for searches.
	Session string
	// Poller of the conversation; empty for the first.
	Poller string
	Phase  string
	Side   string
	Query  string
}

// End is how an exchange ended.
type End struct {
	// Code is a failure code of packages/evidence; empty for a complete exchange.
	Code string
	// ByClient is set if the server sent everything and kept the connection open.
	ByClient bool
	SentAt   int64
	// HeadersAt is negative without a response.
	HeadersAt int64
	EndedAt   int64
}

// Exchange is an exchange on its way to the disk. Its methods are for one goroutine and never block. nil records
// nothing.
type Exchange struct {
	recorder *Recorder
	meta     Meta
	number   int64
	level    int
	// inFlight and rate describe the load at its start.
	inFlight int64
	rate     int64

	request     *http.Request
	requestBody string
	status      int
	header      http.Header
	version     int
	chunks      []chunk
	merged      int
	buffer      *[bufferBytes]byte
	filled      int
	end         End
	isThinned   bool
	lost        atomic.Bool

	// Used by the writing goroutine.
	pending []byte
	scanned int
	// parts are the encoded piece numbers of the body; count is how many.
	parts []byte
	count int
	// since is the generation of pieces of its first part, last the number of the last part.
	since    int
	last     uint64
	building *run
	// expected is the run that the bytes after the last piece have matched so far, with the number of matched bytes.
	expected *run
	matched  int
}

// Begin starts an exchange before its request; End must follow. nil if nothing is kept.
func (r *Recorder) Begin(meta Meta, request *http.Request, requestBody string) *Exchange {
	if r == nil {
		return nil
	}
	e, _ := exchanges.Get().(*Exchange)
	e.recorder, e.meta, e.request, e.requestBody = r, meta, request, requestBody
	r.begin(e)
	return e
}

// Room returns a buffer for the next bytes of the body; nil if they are not kept.
func (e *Exchange) Room() []byte {
	if e == nil || e.isThinned || e.lost.Load() {
		return nil
	}
	if e.buffer != nil && bufferBytes-e.filled < minRoom {
		e.hand()
	}
	if e.buffer == nil {
		e.buffer, _ = buffers.Get().(*[bufferBytes]byte)
		e.filled = 0
	}
	return e.buffer[e.filled:]
}

// Took records how many bytes were read into the buffer, and when.
func (e *Exchange) Took(n int, at int64) {
	if n <= 0 {
		return
	}
	e.filled += n
	if len(e.chunks) < maxChunks {
		e.chunks = append(e.chunks, chunk{int64(n), at})
		return
	}
	last := &e.chunks[len(e.chunks)-1]
	last.bytes, last.at = last.bytes+int64(n), at
	e.merged++
}

// Take records bytes that were read elsewhere.
func (e *Exchange) Take(b []byte, at int64) {
	first := true
	for len(b) > 0 {
		room := e.Room()
		if room == nil {
			return
		}
		n := copy(room, b)
		b = b[n:]
		if first {
			e.Took(n, at)
		} else {
			e.filled += n
			e.chunks[len(e.chunks)-1].bytes += int64(n)
		}
		first = false
	}
}

// Head records the status and headers of the response.
func (e *Exchange) Head(response *http.Response) {
	if e != nil {
		e.status, e.header, e.version = response.StatusCode, response.Header, response.ProtoMajor
	}
}

// End records the end. Nothing may be called after it.
func (e *Exchange) End(end End) {
	if e == nil {
		return
	}
	e.end = end
	e.recorder.inFlight.Add(-1)
	if e.isThinned {
		e.free()
		return
	}
	e.hand()
	e.recorder.send(message{exchange: e, isEnd: true})
}

// hand gives the buffer to the writer.
func (e *Exchange) hand() {
	if e.buffer == nil {
		return
	}
	buffer, filled := e.buffer, e.filled
	e.buffer = nil
	if filled == 0 {
		buffers.Put(buffer)
		return
	}
	e.recorder.send(message{exchange: e, buffer: buffer, filled: filled})
}
