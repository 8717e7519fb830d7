package exchanges

import (
	"net/http"
	"sync"
	"sync/atomic"
)

const (
	// bufferBytes is the size of a buffer. A read gets at least minReadBytes of it.
	bufferBytes  = 32 << 10
	minReadBytes = 4 << 10
	// maxChunks limits the chunks of one body. All later data is added to the last one.
	maxChunks = 32_768
	// minSplitBytes is the minimum length of a part of a split event.
	minSplitBytes = 32 << 10
	// maxPieceBytes limits an event that cannot be split, or a body that is not a stream.
	maxPieceBytes = 16 << 20
)

// exchanges is a pool: exchanges are reused after they are written, except lost ones.
var exchanges = sync.Pool{New: func() any { return new(Exchange) }}

// recycle resets an exchange for reuse.
func (e *Exchange) recycle() {
	e.recorder, e.meta, e.request, e.requestBody, e.status, e.header, e.version = nil, Meta{}, nil, "", 0, nil, 0
	e.chunks, e.mergedChunks, e.buffer, e.filledBytes, e.end, e.isThinned = e.chunks[:0], 0, nil, 0, End{}, false
	e.pending, e.scannedBytes, e.parts, e.count, e.firstGeneration, e.last, e.openRun = e.pending[:0], 0, e.parts[:0], 0, 0, 0, nil
	e.expectedRun, e.matchedBytes = nil, 0
	if cap(e.pending) <= 2*bufferBytes {
		exchanges.Put(e)
	}
}

var buffers = sync.Pool{New: func() any { return new([bufferBytes]byte) }}

// chunk is the number of bytes that arrived together, and when.
type chunk struct {
	bytes int64
	at    int64
}

// Meta contains the facts about an exchange that are known before it is sent.
type Meta struct {
	// Group is Search or Conversation.
	Group Group
	// Interface is stream, legacy or current.
	Interface string
	// Session identifies the conversation. Empty for searches.
	Session string
	// Poller identifies the poller of the conversation. Empty for the first one.
	Poller string
	Phase  string
	Side   string
	Query  string
}

// End describes how an exchange ended.
type End struct {
	// Code is a failure code of packages/evidence; empty for a complete exchange.
	Code string
	// ByClient is set if the client closed the connection, because the server kept it open after sending everything.
	ByClient bool
	SentAt   int64
	// HeadersAt is negative if there was no response.
	HeadersAt int64
	EndedAt   int64
}

// Exchange is an exchange being recorded. Its methods must be called from one goroutine and never block. A nil
// Exchange records nothing.
type Exchange struct {
	recorder *Recorder
	meta     Meta
	number   int64
	level    int
	// inFlight and rate describe the load when the exchange began.
	inFlight int64
	rate     int64

	request      *http.Request
	requestBody  string
	status       int
	header       http.Header
	version      int
	chunks       []chunk
	mergedChunks int
	buffer       *[bufferBytes]byte
	filledBytes  int
	end          End
	isThinned    bool
	isLost       atomic.Bool

	// The following fields belong to the writing goroutine.
	pending      []byte
	scannedBytes int
	// parts holds the encoded piece numbers of the body, count how many there are.
	parts []byte
	count int
	// firstGeneration is the generation of the first piece, last the number of the last piece.
	firstGeneration int
	last            uint64
	openRun         *run
	// expectedRun is the run that the bytes after the last piece have matched so far, with the number of matched bytes.
	expectedRun  *run
	matchedBytes int
}

// Begin starts recording. Call it before the request is sent, and End afterwards. It returns nil if nothing is recorded.
func (r *Recorder) Begin(meta Meta, request *http.Request, requestBody string) *Exchange {
	if r == nil {
		return nil
	}
	e, _ := exchanges.Get().(*Exchange)
	e.recorder, e.meta, e.request, e.requestBody = r, meta, request, requestBody
	r.begin(e)
	return e
}

// NextBuffer returns a buffer for the next bytes of the body, or nil if they are not recorded.
func (e *Exchange) NextBuffer() []byte {
	if e == nil || e.isThinned || e.isLost.Load() {
		return nil
	}
	if e.buffer != nil && bufferBytes-e.filledBytes < minReadBytes {
		e.sendBuffer()
	}
	if e.buffer == nil {
		e.buffer, _ = buffers.Get().(*[bufferBytes]byte)
		e.filledBytes = 0
	}
	return e.buffer[e.filledBytes:]
}

// Advance records that n bytes were read into the buffer, and when.
func (e *Exchange) Advance(n int, at int64) {
	if n <= 0 {
		return
	}
	e.filledBytes += n
	if len(e.chunks) < maxChunks {
		e.chunks = append(e.chunks, chunk{int64(n), at})
		return
	}
	last := &e.chunks[len(e.chunks)-1]
	last.bytes, last.at = last.bytes+int64(n), at
	e.mergedChunks++
}

// Append records bytes that were read into another buffer.
func (e *Exchange) Append(b []byte, at int64) {
	isFirst := true
	for len(b) > 0 {
		buffer := e.NextBuffer()
		if buffer == nil {
			return
		}
		n := copy(buffer, b)
		b = b[n:]
		if isFirst {
			e.Advance(n, at)
		} else {
			e.filledBytes += n
			e.chunks[len(e.chunks)-1].bytes += int64(n)
		}
		isFirst = false
	}
}

// Head records the status and headers of the response.
func (e *Exchange) Head(response *http.Response) {
	if e != nil {
		e.status, e.header, e.version = response.StatusCode, response.Header, response.ProtoMajor
	}
}

// End records how the exchange ended. The exchange must not be used afterwards.
func (e *Exchange) End(end End) {
	if e == nil {
		return
	}
	e.end = end
	e.recorder.inFlight.Add(-1)
	if e.isThinned {
		e.recycle()
		return
	}
	e.sendBuffer()
	e.recorder.send(message{exchange: e, isEnd: true})
}

// sendBuffer hands the buffer over to the writer.
func (e *Exchange) sendBuffer() {
	if e.buffer == nil {
		return
	}
	buffer, filledBytes := e.buffer, e.filledBytes
	e.buffer = nil
	if filledBytes == 0 {
		buffers.Put(buffer)
		return
	}
	e.recorder.send(message{exchange: e, buffer: buffer, filledBytes: filledBytes})
}
