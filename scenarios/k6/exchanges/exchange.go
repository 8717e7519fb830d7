package exchanges

import (
	"net/http"
	"sync"
	"sync/atomic"
)

const (
	// bufferBytes hold what is read at once and what follows it, leastRoom at least.
	bufferBytes = 32 << 10
	leastRoom   = 4 << 10
	// maxChunks are told apart in one body; the last one takes what follows.
	maxChunks = 32_768
	// longPiece is how long a part of an event is at least where the event is cut.
	longPiece = 32 << 10
	// maxPieceBytes of one event that cannot be cut are kept, or of a body that is no stream.
	maxPieceBytes = 16 << 20
)

// exchanges are used again when they are written; those that were lost on their way are not.
var exchanges = sync.Pool{New: func() any { return new(Exchange) }}

// free makes an exchange ready for another one.
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

// chunk is what arrived together, and when.
type chunk struct {
	bytes int64
	at    int64
}

// Meta is what is known of an exchange before it is sent.
type Meta struct {
	// Group is what is thinned out by itself: Search or Conversation.
	Group Group
	// Interface is stream, legacy or current.
	Interface string
	// Session is a conversation; empty outside of them.
	Session string
	// Poller of the conversation; empty for the first.
	Poller string
	Phase  string
	Arm    string
	Query  string
}

// End is how an exchange ended.
type End struct {
	// Code is one of the failures that packages/evidence knows; empty for one that is complete.
	Code string
	// ByClient: the server said all there was to say and kept the connection open.
	ByClient bool
	SentAt   int64
	// HeadersAt is below 0 where no answer came.
	HeadersAt int64
	EndedAt   int64
}

// Exchange is one on its way to the disk. Its methods are for one goroutine and never wait; nil keeps nothing.
type Exchange struct {
	recorder *Recorder
	meta     Meta
	number   int64
	level    int
	// inFlight and rate are the load when it began.
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

	// Of the goroutine that writes.
	pending []byte
	scanned int
	// parts are the numbers of the pieces of the body, as they are written; count is how many.
	parts []byte
	count int
	// since is the generation of pieces in which the first of its parts was known, last the number of the last one.
	since    int
	last     uint64
	building *run
	// expected is the run that the bytes after the last piece have been like so far, for so many of them.
	expected *run
	matched  int
}

// Begin says that a request is about to be sent; End has to follow. Nil where nothing is kept.
func (r *Recorder) Begin(meta Meta, request *http.Request, requestBody string) *Exchange {
	if r == nil {
		return nil
	}
	e, _ := exchanges.Get().(*Exchange)
	e.recorder, e.meta, e.request, e.requestBody = r, meta, request, requestBody
	r.begin(e)
	return e
}

// Room is where the next bytes of the body may be read into; nil where they are not kept.
func (e *Exchange) Room() []byte {
	if e == nil || e.isThinned || e.lost.Load() {
		return nil
	}
	if e.buffer != nil && bufferBytes-e.filled < leastRoom {
		e.hand()
	}
	if e.buffer == nil {
		e.buffer, _ = buffers.Get().(*[bufferBytes]byte)
		e.filled = 0
	}
	return e.buffer[e.filled:]
}

// Took says how many bytes were read into the room, and when they were there.
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

// Take keeps bytes that were read elsewhere.
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

// Head says what the answer begins with.
func (e *Exchange) Head(response *http.Response) {
	if e != nil {
		e.status, e.header, e.version = response.StatusCode, response.Header, response.ProtoMajor
	}
}

// End says how it ended. Nothing may be called after it.
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

// hand gives the buffer to whoever writes.
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
