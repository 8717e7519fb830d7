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
	case m.settled != nil:
		r.flush()
		close(m.settled)
	case m.session != "":
		r.writeSessionEnd(m.session)
	case m.isEnd:
		r.finish(m.exchange)
	default:
		r.addBytes(m.exchange, m.buffer[:m.filled])
		buffers.Put(m.buffer)
	}
}

// segmentFor returns the file of a level, and opens it if needed. It returns nil if the level is not kept.
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

// addGrowth counts the bytes added to a file since it had the size before. It drops levels if the files exceed their
// limit.
func (r *Recorder) addGrowth(group Group, s *segment, before int64) {
	growth := s.bytes - before
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
		fast := largerGroup(&r.pace)
		r.pace[fast] /= 2
		r.thinOut(fast)
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
		count.kept.Add(-s.kept)
		count.thinned.Add(s.kept)
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
	if !e.lost.Swap(true) {
		r.counts[e.meta.Group].lost.Add(1)
	}
}

// addBytes splits a stream into its events, most of which repeat. Other bodies are stored in one piece.
func (r *Recorder) addBytes(e *Exchange, b []byte) {
	if e.lost.Load() {
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
	before := s.bytes
	rest, scanned := b, e.scanned
	if len(e.pending) > 0 {
		e.pending = append(e.pending, b...)
		rest = e.pending
	}
	for {
		// A repeated run can start only between two events.
		if scanned == 0 {
			rest = rest[s.matchRuns(e, rest):]
			if len(rest) == 0 {
				break
			}
			if unmatched := e.abandonRun(); len(unmatched) > 0 {
				e.pending = append(append(make([]byte, 0, len(unmatched)+len(rest)), unmatched...), rest...)
				rest = e.pending
			}
		}
		end := r.findPieceEnd(rest, scanned, e.meta.Group)
		if end < 0 {
			break
		}
		r.addPiece(e, s, rest[:end])
		rest, scanned = rest[end:], 0
	}
	e.scanned = max(0, len(rest)-len(objectsEnd)+1)
	e.pending = append(e.pending[:0], rest...)
	if len(e.pending) > maxPieceBytes {
		r.markLost(e)
	}
	r.addGrowth(e.meta.Group, s, before)
}

// findPieceEnd returns the end of the first piece of a stream: an event, or a result inside a long event. Whole long
// events of many users would fill the memory. It returns -1 if the end has not arrived.
func (r *Recorder) findPieceEnd(b []byte, before int, group Group) int {
	end := bytes.Index(b[before:], eventEnd)
	if end >= 0 {
		end += before + len(eventEnd)
	}
	from := max(before, minSplitBytes)
	if len(b) <= from || (end >= 0 && end <= from) || r.options.Redactors[group].MayCross(",", "{") {
		return end
	}
	within := b[from:]
	if end >= 0 {
		within = b[from:end]
	}
	if at := bytes.Index(within, objectsEnd); at >= 0 {
		return from + at + len(objectsEnd) - 1
	}
	return end
}

func (r *Recorder) addPiece(e *Exchange, s *segment, raw []byte) {
	redactor := r.options.Redactors[e.meta.Group]
	if e.count == 0 {
		e.since = s.generation
	}
	id, isKnown := s.piece(hashBytes(r.seed, raw), func() []byte { return redactor.Bytes(raw) })
	e.parts = binary.AppendUvarint(e.parts, id)
	e.count++
	s.recordSuccessor(e, id, raw, isKnown)
}

func (r *Recorder) finish(e *Exchange) {
	s := r.segmentFor(e.meta.Group, e.level)
	if s == nil || e.lost.Load() {
		r.countDropped(e)
		return
	}
	before := s.bytes
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
	if e.count > 0 && s.generation-e.since > 1 {
		// A reader has already forgotten its first pieces.
		r.markLost(e)
		return
	}
	s.frame(kindExchange, r.record(e, s))
	s.kept++
	r.counts[e.meta.Group].kept.Add(1)
	s.forgetIfFull(r.maxKnownPieces)
	r.addGrowth(e.meta.Group, s, before)
	e.recycle()
}

// countDropped counts an exchange whose level was dropped meanwhile, or that could not be written.
func (r *Recorder) countDropped(e *Exchange) {
	count := &r.counts[e.meta.Group]
	switch {
	case e.lost.Load():
	case r.problem.Load() != nil:
		count.lost.Add(1)
	default:
		count.thinned.Add(1)
	}
}

// writeSessionEnd writes the end of a session.
func (r *Recorder) writeSessionEnd(session string) {
	level := r.chooseLevel(&Exchange{meta: Meta{Session: session}})
	if s := r.files[Conversation][level]; s != nil {
		before := s.bytes
		s.frame(kindSessionEnd, []byte(session))
		r.addGrowth(Conversation, s, before)
	}
}

// record encodes an exchange: the length of its head, the head in JSON, the piece numbers of its body, and its chunks.
func (r *Recorder) record(e *Exchange, s *segment) []byte {
	head := r.head(e, s)
	b := binary.AppendUvarint(s.scratch[:0], uint64(len(head)))
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
	s.scratch = b
	return b
}

func (r *Recorder) head(e *Exchange, s *segment) []byte {
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
	h.count("request", int64(r.requestPiece(e, s)))
	if e.status != 0 {
		h.count("status", int64(e.status))
		h.count("http", int64(e.version))
		h.count("headers", int64(r.headersPiece(e, s)))
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
	if e.merged > 0 {
		h.count("mergedChunks", int64(e.merged))
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

func (r *Recorder) requestPiece(e *Exchange, s *segment) uint64 {
	q := e.request
	requestURL := q.URL.String()
	hash := r.hashHeader(q.Header) ^ maphash.String(r.seed, q.Method+" "+requestURL)*31 ^ maphash.String(r.seed, e.requestBody)*17
	id, _ := s.piece(hash, func() []byte {
		redactor := r.options.Redactors[e.meta.Group]
		o := object{}
		o.text("method", q.Method)
		o.text("url", redactor.Text(requestURL))
		o.name("headers")
		header := q.Header
		if header.Get("Host") == "" {
			header = header.Clone()
			header.Set("Host", q.Host)
		}
		o.b = r.appendHeader(o.b, header, e.meta.Group)
		if e.requestBody != "" {
			o.text("body", redactor.Text(e.requestBody))
		}
		return append(o.b, '}')
	})
	return id
}

func (r *Recorder) headersPiece(e *Exchange, s *segment) uint64 {
	id, _ := s.piece(r.hashHeader(e.header)^1, func() []byte { return r.appendHeader(nil, e.header, e.meta.Group) })
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
