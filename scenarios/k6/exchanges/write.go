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
	flush := time.NewTicker(flushEvery)
	defer flush.Stop()
	for {
		select {
		case m := <-r.queue:
			r.take(m)
		case <-flush.C:
			r.flush()
		}
	}
}

func (r *Recorder) take(m message) {
	switch {
	case m.settled != nil:
		r.flush()
		close(m.settled)
	case m.session != "":
		r.over(m.session)
	case m.isEnd:
		r.finish(m.exchange)
	default:
		r.takeBytes(m.exchange, m.buffer[:m.filled])
		buffers.Put(m.buffer)
	}
}

// segmentOf returns the file of an exchange; nil if it is not kept.
func (r *Recorder) segmentOf(group Group, level int) *segment {
	if level < int(r.counts[group].least.Load()) || r.problem.Load() != nil {
		return nil
	}
	s := r.files[group][level]
	if s == nil {
		opened, err := r.openSegment(group, level)
		if err != nil {
			r.fail(whyNot(r.options.Folder, err))
			return nil
		}
		s = opened
		r.files[group][level] = s
		r.bytes[group] += s.bytes
	}
	return s
}

// written adds the growth of a file, and thins out if the limit is exceeded.
func (r *Recorder) written(group Group, s *segment, before int64) {
	grown := s.bytes - before
	r.bytes[group] += grown
	for r.bytes[Search]+r.bytes[Conversation] > r.options.MaxBytes {
		if !r.thinOut(larger(&r.bytes)) {
			return
		}
	}
	r.took(group, grown*newPace)
}

// took adds to the pace, and thins out if it is too fast.
func (r *Recorder) took(group Group, pace int64) {
	if now := r.options.Now(); now-r.paceSince > paceMicros {
		r.paceSince, r.pace = now, [groupCount]int64{}
	}
	r.pace[group] += pace
	if r.pace[Search]+r.pace[Conversation] > r.maxPace*(paceMicros/1_000_000) {
		fast := larger(&r.pace)
		r.pace[fast] /= 2
		r.thinOut(fast)
	}
}

func larger(bytes *[groupCount]int64) Group {
	if bytes[Conversation] > bytes[Search] {
		return Conversation
	}
	return Search
}

// thinOut drops the lowest level of a group, half of its exchanges. It returns false if none is left.
func (r *Recorder) thinOut(group Group) bool {
	count := &r.counts[group]
	level := int(count.least.Load())
	if level == levelCount-1 {
		if r.bytes[Search]+r.bytes[Conversation] > r.options.MaxBytes {
			r.fail("the files of exchanges are full")
		}
		return false
	}
	count.least.Store(int32(level + 1))
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
				r.fail(whyNot(s.path, err))
			}
		}
	}
}

func (r *Recorder) lose(e *Exchange) {
	if !e.lost.Swap(true) {
		r.counts[e.meta.Group].lost.Add(1)
	}
}

// takeBytes splits a stream into its events, most of which repeat. Other bodies stay whole.
func (r *Recorder) takeBytes(e *Exchange, b []byte) {
	if e.lost.Load() {
		return
	}
	if e.meta.Group != Search {
		e.pending = append(e.pending, b...)
		if len(e.pending) > maxPieceBytes {
			r.lose(e)
		}
		return
	}
	s := r.segmentOf(e.meta.Group, e.level)
	if s == nil {
		return
	}
	r.took(e.meta.Group, int64(len(b)))
	if s = r.segmentOf(e.meta.Group, e.level); s == nil {
		return
	}
	before := s.bytes
	rest, scanned := b, e.scanned
	if len(e.pending) > 0 {
		e.pending = append(e.pending, b...)
		rest = e.pending
	}
	for {
		// Runs can repeat only between two events.
		if scanned == 0 {
			rest = rest[s.follow(e, rest):]
			if len(rest) == 0 {
				break
			}
			if before := e.unfollow(); len(before) > 0 {
				e.pending = append(append(make([]byte, 0, len(before)+len(rest)), before...), rest...)
				rest = e.pending
			}
		}
		end := r.endOfPiece(rest, scanned, e.meta.Group)
		if end < 0 {
			break
		}
		r.takePiece(e, s, rest[:end])
		rest, scanned = rest[end:], 0
	}
	e.scanned = max(0, len(rest)-len(objectsEnd)+1)
	e.pending = append(e.pending[:0], rest...)
	if len(e.pending) > maxPieceBytes {
		r.lose(e)
	}
	r.written(e.meta.Group, s, before)
}

// endOfPiece returns the end of the first piece of a stream: an event, or a result inside a long event, which would
// fill the memory of many users. Negative if the end has not arrived.
func (r *Recorder) endOfPiece(b []byte, before int, group Group) int {
	end := bytes.Index(b[before:], eventEnd)
	if end >= 0 {
		end += before + len(eventEnd)
	}
	from := max(before, longPiece)
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

func (r *Recorder) takePiece(e *Exchange, s *segment, raw []byte) {
	redactor := r.options.Redactors[e.meta.Group]
	if e.count == 0 {
		e.since = s.generation
	}
	id, isKnown := s.piece(hashOf(r.seed, raw), func() []byte { return redactor.Bytes(raw) })
	e.parts = binary.AppendUvarint(e.parts, id)
	e.count++
	s.learn(e, id, raw, isKnown)
}

func (r *Recorder) finish(e *Exchange) {
	s := r.segmentOf(e.meta.Group, e.level)
	if s == nil || e.lost.Load() {
		r.notKept(e)
		return
	}
	before := s.bytes
	if before := e.unfollow(); len(before) > 0 {
		e.pending = append(e.pending[:0], before...)
	}
	if len(e.pending) > 0 {
		if e.meta.Group != Search {
			r.options.Redactors[e.meta.Group].Learn(string(e.pending))
		}
		r.takePiece(e, s, e.pending)
	}
	s.keepRun(e)
	if e.count > 0 && s.generation-e.since > 1 {
		// Its first pieces are forgotten already.
		r.lose(e)
		return
	}
	s.frame(kindExchange, r.record(e, s))
	s.kept++
	r.counts[e.meta.Group].kept.Add(1)
	s.forgetIfFull(r.maxKnown)
	r.written(e.meta.Group, s, before)
	e.free()
}

// notKept counts an exchange whose level was dropped meanwhile, or for which the disk had no space.
func (r *Recorder) notKept(e *Exchange) {
	count := &r.counts[e.meta.Group]
	switch {
	case e.lost.Load():
	case r.problem.Load() != nil:
		count.lost.Add(1)
	default:
		count.thinned.Add(1)
	}
}

// over writes the end of a session.
func (r *Recorder) over(session string) {
	level := r.levelOf(&Exchange{meta: Meta{Session: session}})
	if s := r.files[Conversation][level]; s != nil {
		before := s.bytes
		s.frame(kindOver, []byte(session))
		r.written(Conversation, s, before)
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

// hashHeader does not depend on the order of the fields.
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
	address := q.URL.String()
	hash := r.hashHeader(q.Header) ^ maphash.String(r.seed, q.Method+" "+address)*31 ^ maphash.String(r.seed, e.requestBody)*17
	id, _ := s.piece(hash, func() []byte {
		redactor := r.options.Redactors[e.meta.Group]
		o := object{}
		o.text("method", q.Method)
		o.text("url", redactor.Text(address))
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
