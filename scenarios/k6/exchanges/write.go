package exchanges

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/maphash"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	eventEnd = []byte("\n\n")
	// objectsEnd separates two results of an event. A long event is split after its comma.
	objectsEnd = []byte("},{")
)

// write handles messages until the process ends.
func (r *Recorder) write() {
	flush := time.NewTicker(flushInterval)
	defer flush.Stop()
	for {
		select {
		case m := <-r.queue:
			r.handle(m)
		case <-flush.C:
			r.flush()
		}
	}
}

func (r *Recorder) handle(m message) {
	switch {
	case m.settledSignal != nil:
		r.flush()
		close(m.settledSignal)
	case m.session != "":
		r.writeSessionEnd(m.session)
	case m.isEnd:
		r.finishExchange(m.exchange)
	default:
		r.addBytes(m.exchange, m.buffer[:m.filledBytes])
		buffers.Put(m.buffer)
	}
}

// segmentFor returns the file of a level, and opens it if needed. It returns nil if the level has been dropped.
func (r *Recorder) segmentFor(group Group, level int) *segment {
	if level < int(r.counts[group].minLevel.Load()) || r.problem.Load() != nil {
		return nil
	}
	s := r.files[group][level]
	if s == nil {
		opened, err := r.openSegment(group, level)
		if err != nil {
			r.fail(describeWriteError(r.options.Folder, err))
			return nil
		}
		s = opened
		r.files[group][level] = s
		r.bytes[group] += s.bytes
	}
	return s
}

// addGrowth counts the bytes added to a file since it had sizeBefore bytes. It drops levels if the files exceed their
// limit.
func (r *Recorder) addGrowth(group Group, s *segment, sizeBefore int64) {
	growth := s.bytes - sizeBefore
	r.bytes[group] += growth
	for r.bytes[Search]+r.bytes[Conversation] > r.options.MaxBytes {
		if !r.thinOut(largerGroup(&r.bytes)) {
			return
		}
	}
	r.addToPace(group, growth*newByteCost)
}

// addToPace adds to the fill rate of a group. It drops a level if the rate is too high.
func (r *Recorder) addToPace(group Group, pace int64) {
	if now := r.options.Now(); now-r.paceStart > pacePeriodMicros {
		r.paceStart, r.pace = now, [groupCount]int64{}
	}
	r.pace[group] += pace
	if r.pace[Search]+r.pace[Conversation] > r.maxPace*(pacePeriodMicros/1_000_000) {
		fastGroup := largerGroup(&r.pace)
		r.pace[fastGroup] /= 2
		r.thinOut(fastGroup)
	}
}

func largerGroup(bytes *[groupCount]int64) Group {
	if bytes[Conversation] > bytes[Search] {
		return Conversation
	}
	return Search
}

// thinOut drops the lowest level of a group, half of its exchanges. It returns false if none is left.
func (r *Recorder) thinOut(group Group) bool {
	count := &r.counts[group]
	level := int(count.minLevel.Load())
	if level == levelCount-1 {
		if r.bytes[Search]+r.bytes[Conversation] > r.options.MaxBytes {
			r.fail("the files of exchanges are full")
		}
		return false
	}
	count.minLevel.Store(int32(level + 1))
	if s := r.files[group][level]; s != nil {
		s.close()
		_ = os.Remove(s.path)
		r.bytes[group] -= s.bytes
		count.keptCount.Add(-s.keptCount)
		count.thinnedCount.Add(s.keptCount)
		r.files[group][level] = nil
	}
	return true
}

func (r *Recorder) flush() {
	for group := range r.files {
		for _, s := range r.files[group] {
			if s == nil || s.out.Buffered() == 0 {
				continue
			}
			if err := s.out.Flush(); err != nil {
				r.fail(describeWriteError(s.path, err))
			}
		}
	}
}

func (r *Recorder) markLost(e *Exchange) {
	if !e.isLost.Swap(true) {
		r.counts[e.meta.Group].lostCount.Add(1)
	}
}

// addBytes splits a stream into its events, most of which repeat. Other bodies are stored in one piece.
func (r *Recorder) addBytes(e *Exchange, b []byte) {
	if e.isLost.Load() {
		return
	}
	if e.meta.Group != Search {
		e.pending = append(e.pending, b...)
		if len(e.pending) > maxPieceBytes {
			r.markLost(e)
		}
		return
	}
	s := r.segmentFor(e.meta.Group, e.level)
	if s == nil {
		return
	}
	r.addToPace(e.meta.Group, int64(len(b)))
	if s = r.segmentFor(e.meta.Group, e.level); s == nil {
		return
	}
	sizeBefore := s.bytes
	remaining, scannedBytes := b, e.scannedBytes
	if len(e.pending) > 0 {
		e.pending = append(e.pending, b...)
		remaining = e.pending
	}
	for {
		// A repeated run can start only between two events.
		if scannedBytes == 0 {
			remaining = remaining[s.matchRuns(e, remaining):]
			if len(remaining) == 0 {
				break
			}
			if unmatched := e.abandonRun(); len(unmatched) > 0 {
				e.pending = append(append(make([]byte, 0, len(unmatched)+len(remaining)), unmatched...), remaining...)
				remaining = e.pending
			}
		}
		end := r.findPieceEnd(remaining, scannedBytes, e.meta.Group)
		if end < 0 {
			break
		}
		r.addPiece(e, s, remaining[:end])
		remaining, scannedBytes = remaining[end:], 0
	}
	e.scannedBytes = max(0, len(remaining)-len(objectsEnd)+1)
	e.pending = append(e.pending[:0], remaining...)
	if len(e.pending) > maxPieceBytes {
		r.markLost(e)
	}
	r.addGrowth(e.meta.Group, s, sizeBefore)
}

// findPieceEnd returns the end of the first piece of a stream: an event, or a result inside a long event. Long events of
// many users, kept whole, would fill the memory. It returns -1 if the end has not arrived.
func (r *Recorder) findPieceEnd(b []byte, scannedBytes int, group Group) int {
	end := bytes.Index(b[scannedBytes:], eventEnd)
	if end >= 0 {
		end += scannedBytes + len(eventEnd)
	}
	from := max(scannedBytes, minSplitBytes)
	if len(b) <= from || (end >= 0 && end <= from) || r.options.Redactors[group].MayCross(",", "{") {
		return end
	}
	searchArea := b[from:]
	if end >= 0 {
		searchArea = b[from:end]
	}
	if at := bytes.Index(searchArea, objectsEnd); at >= 0 {
		return from + at + len(objectsEnd) - 1
	}
	return end
}

func (r *Recorder) addPiece(e *Exchange, s *segment, raw []byte) {
	redactor := r.options.Redactors[e.meta.Group]
	if e.count == 0 {
		e.firstGeneration = s.generation
	}
	id, isKnown := s.findOrWritePiece(hashBytes(r.seed, raw), func() []byte { return redactor.Bytes(raw) })
	e.parts = binary.AppendUvarint(e.parts, id)
	e.count++
	s.recordSuccessor(e, id, raw, isKnown)
}

func (r *Recorder) finishExchange(e *Exchange) {
	s := r.segmentFor(e.meta.Group, e.level)
	if s == nil || e.isLost.Load() {
		r.countDropped(e)
		return
	}
	sizeBefore := s.bytes
	if unmatched := e.abandonRun(); len(unmatched) > 0 {
		e.pending = append(e.pending[:0], unmatched...)
	}
	if len(e.pending) > 0 {
		if e.meta.Group != Search {
			r.options.Redactors[e.meta.Group].Learn(string(e.pending))
		}
		r.addPiece(e, s, e.pending)
	}
	s.storeRun(e)
	if e.count > 0 && s.generation-e.firstGeneration > 1 {
		// A reader has already forgotten its first pieces.
		r.markLost(e)
		return
	}
	s.writeFrame(kindExchange, r.encodeExchange(e, s))
	s.keptCount++
	r.counts[e.meta.Group].keptCount.Add(1)
	s.forgetIfFull(r.maxKnownPieces)
	r.addGrowth(e.meta.Group, s, sizeBefore)
	e.recycle()
}

// countDropped counts an exchange whose level has been dropped since it began, or that could not be written.
func (r *Recorder) countDropped(e *Exchange) {
	count := &r.counts[e.meta.Group]
	switch {
	case e.isLost.Load():
	case r.problem.Load() != nil:
		count.lostCount.Add(1)
	default:
		count.thinnedCount.Add(1)
	}
}

// writeSessionEnd writes the end of a session.
func (r *Recorder) writeSessionEnd(session string) {
	level := r.chooseLevel(&Exchange{meta: Meta{Session: session}})
	if s := r.files[Conversation][level]; s != nil {
		sizeBefore := s.bytes
		s.writeFrame(kindSessionEnd, []byte(session))
		r.addGrowth(Conversation, s, sizeBefore)
	}
}

// encodeExchange encodes an exchange: the length of its head, the head in JSON, the piece numbers of its body, and its chunks.
func (r *Recorder) encodeExchange(e *Exchange, s *segment) []byte {
	head := r.encodeHead(e, s)
	b := binary.AppendUvarint(s.scratchBuffer[:0], uint64(len(head)))
	b = append(b, head...)
	b = binary.AppendUvarint(b, uint64(e.count))
	b = append(b, e.parts...)
	b = binary.AppendUvarint(b, uint64(len(e.chunks)))
	at := e.end.SentAt
	for _, c := range e.chunks {
		b = binary.AppendUvarint(b, uint64(c.bytes))
		b = binary.AppendUvarint(b, uint64(max(0, c.at-at)))
		at = max(at, c.at)
	}
	s.scratchBuffer = b
	return b
}

func (r *Recorder) encodeHead(e *Exchange, s *segment) []byte {
	h := object{b: make([]byte, 0, 400)}
	h.text("id", "e"+strconv.FormatInt(e.number, 10))
	h.text("interface", e.meta.Interface)
	if e.meta.Session != "" {
		h.text("session", e.meta.Session)
	}
	if e.meta.Poller != "" {
		h.text("poller", e.meta.Poller)
	}
	h.text("phase", e.meta.Phase)
	h.text("side", e.meta.Side)
	h.text("query", e.meta.Query)
	h.count("request", int64(r.writeRequestPiece(e, s)))
	if e.status != 0 {
		h.count("status", int64(e.status))
		h.count("http", int64(e.version))
		h.count("headers", int64(r.writeHeadersPiece(e, s)))
	}
	if e.end.Code != "" {
		h.text("failure", e.end.Code)
	}
	if e.end.ByClient {
		h.text("closedBy", "client")
	}
	h.count("sentAtMicros", e.end.SentAt)
	if e.end.HeadersAt >= 0 {
		h.count("headersAtMicros", e.end.HeadersAt)
	}
	h.count("endedAtMicros", e.end.EndedAt)
	h.count("inFlight", e.inFlight)
	h.count("ratePerSecond", e.rate)
	if e.mergedChunks > 0 {
		h.count("mergedChunks", int64(e.mergedChunks))
	}
	return append(h.b, '}')
}

// hashHeader returns a hash that does not depend on the order of the fields.
func (r *Recorder) hashHeader(header http.Header) uint64 {
	var sum uint64
	for name, values := range header {
		for _, value := range values {
			sum += maphash.String(r.seed, name)*31 ^ maphash.String(r.seed, value)
		}
	}
	return sum
}

func (r *Recorder) writeRequestPiece(e *Exchange, s *segment) uint64 {
	request := e.request
	requestURL := request.URL.String()
	hash := r.hashHeader(request.Header) ^ maphash.String(r.seed, request.Method+" "+requestURL)*31 ^ maphash.String(r.seed, e.requestBody)*17
	id, _ := s.findOrWritePiece(hash, func() []byte {
		redactor := r.options.Redactors[e.meta.Group]
		o := object{}
		o.text("method", request.Method)
		o.text("url", redactor.Text(requestURL))
		o.name("headers")
		header := request.Header
		if header.Get("Host") == "" {
			header = header.Clone()
			header.Set("Host", request.Host)
		}
		o.b = r.appendHeader(o.b, header, e.meta.Group)
		if e.requestBody != "" {
			o.text("body", redactor.Text(e.requestBody))
		}
		return append(o.b, '}')
	})
	return id
}

func (r *Recorder) writeHeadersPiece(e *Exchange, s *segment) uint64 {
	id, _ := s.findOrWritePiece(r.hashHeader(e.header)^1, func() []byte { return r.appendHeader(nil, e.header, e.meta.Group) })
	return id
}

func (r *Recorder) appendHeader(b []byte, header http.Header, group Group) []byte {
	fields := [][2]string{}
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range header[name] {
			name, value := r.options.Redactors[group].Header(name, value)
			fields = append(fields, [2]string{strings.ToValidUTF8(name, "\ufffd"), strings.ToValidUTF8(value, "\ufffd")})
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		text = []byte("[]")
	}
	return append(b, text...)
}

// object writes members of a JSON object.
type object struct{ b []byte }

func (o *object) name(name string) {
	separator := byte(',')
	if len(o.b) == 0 {
		separator = '{'
	}
	o.b = append(append(o.b, separator, '"'), name...)
	o.b = append(o.b, '"', ':')
}

func (o *object) text(name, value string) {
	o.name(name)
	o.b, _ = jsontext.AppendQuote(o.b, value)
}

func (o *object) count(name string, value int64) {
	o.name(name)
	o.b = strconv.AppendInt(o.b, value, 10)
}
