package exchanges

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"os"
	"path/filepath"

	"assay/k6/disk"
)

// magic begins each file. Frames follow: length of the rest (4 bytes, little-endian), kind (1 byte), content, CRC-32 of
// kind and content (4 bytes). Complete frames stay readable even if the writer is killed.
const magic = "ASSAYEX1"

// Kinds of frames.
const (
	kindHeader     = 'H'
	kindPiece      = 'P'
	kindForget     = 'F'
	kindExchange   = 'X'
	kindSessionEnd = 'E'
)

const (
	frameBytes = 9
	// maxKnownPieces limits the remembered pieces of a file before all are forgotten. The reader also remembers the pieces
	// of the previous generation.
	maxKnownPieces = 32_768
	writeBuffer    = 64 << 10
)

// segment is one file of exchanges, of one level of one group.
type segment struct {
	path  string
	file  *os.File
	out   *bufio.Writer
	bytes int64
	// keptCount is the number of exchanges in the file.
	keptCount int64
	// pieceNumbers maps the hash of a remembered piece to its number.
	pieceNumbers map[uint64]uint64
	lastNumber   uint64
	// generation counts how often the pieces were forgotten.
	generation    int
	scratchBuffer []byte
	runs          map[uint64][]*run
	runBytes      int
}

const (
	// runLength is the length at which a run is stored. A run that ends at a new piece or with the body may be shorter.
	runLength = 4 << 10
	// maxRunBytes limits the memory of all runs.
	maxRunBytes = 16 << 20
	// maxRunLength is the maximum length of a run.
	maxRunLength = 4 << 20
	// maxRuns limits the remembered runs after the same piece. The oldest one is forgotten first.
	maxRuns = 4
)

// run is data that followed a piece earlier. Comparing it is cheaper than looking up each piece.
type run struct {
	key   uint64
	raw   []byte
	parts []byte
	count int
	last  uint64
	// generation is that of its pieces.
	generation int
}

func (r *Recorder) openSegment(group Group, level int) (*segment, error) {
	if err := os.MkdirAll(r.options.Folder, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(r.options.Folder, fmt.Sprintf("%s-%02d.bin", groupNames[group], level))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	s := &segment{path: path, file: file, out: bufio.NewWriterSize(file, writeBuffer), pieceNumbers: map[uint64]uint64{}, runs: map[uint64][]*run{}}
	_, _ = s.out.WriteString(magic)
	s.bytes = int64(len(magic))
	header, err := json.Marshal(map[string]any{
		"assay": "exchanges", "version": 1, "group": groupNames[group], "level": level, "epochMs": r.options.EpochMs,
	})
	s.writeFrame(kindHeader, header)
	return s, err
}

func (s *segment) writeFrame(kind byte, parts ...[]byte) {
	length := 5
	sum := crc32.Update(0, crc32.IEEETable, []byte{kind})
	for _, part := range parts {
		length += len(part)
		sum = crc32.Update(sum, crc32.IEEETable, part)
	}
	var head [5]byte
	binary.LittleEndian.PutUint32(head[:], uint32(length))
	head[4] = kind
	// The buffered writer keeps the error until Flush.
	_, _ = s.out.Write(head[:])
	for _, part := range parts {
		_, _ = s.out.Write(part)
	}
	var tail [4]byte
	binary.LittleEndian.PutUint32(tail[:], sum)
	_, _ = s.out.Write(tail[:])
	s.bytes += int64(length) + 4
}

// findOrWritePiece returns the number of a piece. It writes the piece if it is new. redacted returns the bytes to write.
func (s *segment) findOrWritePiece(hash uint64, redacted func() []byte) (number uint64, isKnown bool) {
	if id, isKnown := s.pieceNumbers[hash]; isKnown {
		return id, true
	}
	s.lastNumber++
	s.pieceNumbers[hash] = s.lastNumber
	var id [binary.MaxVarintLen64]byte
	s.writeFrame(kindPiece, id[:binary.PutUvarint(id[:], s.lastNumber)], redacted())
	return s.lastNumber, false
}

// forgetIfFull forgets all pieces if there are too many.
func (s *segment) forgetIfFull(maxPieces int) {
	if len(s.pieceNumbers) >= maxPieces {
		clear(s.pieceNumbers)
		clear(s.runs)
		s.runBytes = 0
		s.generation++
		s.writeFrame(kindForget)
	}
}

// matchRuns consumes bytes that repeat remembered runs, and returns how many.
func (s *segment) matchRuns(e *Exchange, b []byte) int {
	consumed := 0
	for {
		if e.expectedRun == nil {
			e.expectedRun, e.matchedBytes = s.findRun(e.last, b[consumed:]), 0
		}
		expectedRun := e.expectedRun
		if expectedRun == nil {
			return consumed
		}
		remaining := expectedRun.raw[e.matchedBytes:]
		n := min(len(remaining), len(b)-consumed)
		if expectedRun.generation != s.generation || !bytes.Equal(remaining[:n], b[consumed:consumed+n]) {
			return consumed
		}
		consumed += n
		if e.matchedBytes += n; e.matchedBytes < len(expectedRun.raw) {
			return consumed
		}
		s.storeRun(e)
		e.parts = append(e.parts, expectedRun.parts...)
		if e.count == 0 {
			e.firstGeneration = s.generation
		}
		e.count += expectedRun.count
		e.last = expectedRun.last
		e.expectedRun = nil
	}
}

// findRun returns a run that followed a piece and begins with these bytes.
func (s *segment) findRun(last uint64, b []byte) *run {
	const prefixBytes = 64
	b = b[:min(prefixBytes, len(b))]
	for _, candidate := range s.runs[last] {
		if n := min(len(b), len(candidate.raw)); bytes.Equal(candidate.raw[:n], b[:n]) {
			return candidate
		}
	}
	return nil
}

// abandonRun discards the expected run. It returns the consumed bytes of a run that matched only partly.
func (e *Exchange) abandonRun() []byte {
	expectedRun, matchedBytes := e.expectedRun, e.matchedBytes
	e.expectedRun, e.matchedBytes = nil, 0
	if expectedRun == nil {
		return nil
	}
	return expectedRun.raw[:matchedBytes]
}

// recordSuccessor records which piece followed the last one.
func (s *segment) recordSuccessor(e *Exchange, id uint64, raw []byte, isKnown bool) {
	if !isKnown {
		s.storeRun(e)
	} else {
		if e.openRun == nil {
			e.openRun = &run{key: e.last, generation: s.generation}
		}
		b := e.openRun
		b.raw = append(b.raw, raw...)
		b.parts = binary.AppendUvarint(b.parts, id)
		b.count++
		b.last = id
		if len(b.raw) >= runLength {
			s.storeRun(e)
		}
	}
	e.last = id
}

func (s *segment) storeRun(e *Exchange) {
	b := e.openRun
	e.openRun = nil
	if b == nil || len(b.raw) > maxRunLength || b.generation != s.generation {
		return
	}
	if s.runBytes += len(b.raw); s.runBytes > maxRunBytes {
		clear(s.runs)
		s.runBytes = len(b.raw)
	}
	runs := s.runs[b.key]
	if len(runs) == maxRuns {
		s.runBytes -= len(runs[0].raw)
		runs = append(runs[:0], runs[1:]...)
	}
	s.runs[b.key] = append(runs, b)
}

func (s *segment) close() {
	_ = s.out.Flush()
	_ = s.file.Close()
}

func describeWriteError(path string, err error) string {
	return (&disk.Error{FileKind: "the file of exchanges", Path: filepath.Base(path), Cause: err}).Error()
}

func hashBytes(seed maphash.Seed, b []byte) uint64 { return maphash.Bytes(seed, b) }
