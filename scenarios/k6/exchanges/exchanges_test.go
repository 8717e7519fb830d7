package exchanges

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/k6/redact"
)

const secret = "sgp_0a1B2c3D4e5F6a7B8c9D"

func newRecorder(t testing.TB, maxBytes int64) *Recorder {
	t.Helper()
	return recorderOf(t, Options{MaxBytes: maxBytes, Now: func() int64 { return 0 }}, secret)
}

func recorderOf(t testing.TB, o Options, secret string) *Recorder {
	t.Helper()
	o.Folder = filepath.Join(t.TempDir(), "exchanges")
	for g := range o.Redactors {
		redactor, err := redact.New(make([]byte, 32), []string{secret}, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Redactors[g] = redactor
	}
	return New(o)
}

// get is a request with a token.
func get(path string) *http.Request {
	address := &url.URL{Scheme: "http", Host: "localhost:1", Path: path, RawQuery: "token=" + secret}
	return &http.Request{Method: "GET", URL: address, Host: address.Host, Header: http.Header{"Authorization": {"token " + secret}}}
}

// keep records one exchange whose body comes in chunks of the given sizes, the last one as often as it takes.
func keep(r *Recorder, meta Meta, body []byte, next func() int) {
	e := r.Begin(meta, get("/search"), "")
	e.Head(&http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}, "Set-Cookie": {"a=" + secret}}})
	for at := int64(1); len(body) > 0; at++ {
		n := min(next(), len(body))
		e.Append(body[:n], at)
		body = body[n:]
	}
	e.End(End{HeadersAt: 1, EndedAt: 100})
}

type read struct {
	head   map[string]any
	body   string
	parts  int
	chunks []chunk
}

// readAll reads a file as the judge does: pieces of this generation and of the one before.
func readAll(t testing.TB, path string) (found []read) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(b, []byte(magic)) {
		t.Fatal("no magic")
	}
	b = b[len(magic):]
	pieces, before := map[uint64]string{}, map[uint64]string{}
	number := func(b *[]byte) uint64 {
		n, width := binary.Uvarint(*b)
		*b = (*b)[width:]
		return n
	}
	for len(b) > 0 {
		length := binary.LittleEndian.Uint32(b) - 4
		content := b[4 : 4+length]
		if crc32.ChecksumIEEE(content) != binary.LittleEndian.Uint32(b[4+length:]) {
			t.Fatal("checksum")
		}
		b = b[4+length+4:]
		kind := content[0]
		if content = content[1:]; length < 1 {
			t.Fatal("short frame")
		}
		switch kind {
		case kindPiece:
			id := number(&content)
			pieces[id] = string(content)
		case kindForget:
			pieces, before = map[uint64]string{}, pieces
		case kindExchange:
			var one read
			n := number(&content)
			if err := json.Unmarshal(content[:n], &one.head); err != nil {
				t.Fatal(err)
			}
			content = content[n:]
			for range number(&content) {
				id := number(&content)
				piece, isThere := pieces[id]
				if !isThere {
					piece, isThere = before[id]
				}
				if !isThere {
					t.Fatal("a piece is missing")
				}
				one.body += piece
				one.parts++
			}
			for range number(&content) {
				one.chunks = append(one.chunks, chunk{int64(number(&content)), int64(number(&content))})
			}
			found = append(found, one)
		}
	}
	return found
}

func everything(t testing.TB, r *Recorder) (found []read) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(r.options.Folder, "*.bin"))
	for _, path := range paths {
		found = append(found, readAll(t, path)...)
	}
	return found
}

func event(n int) string {
	return fmt.Sprintf("event: matches\ndata: [%d,%q]\n\n", n, strings.Repeat("x", n%900))
}

func TestBodiesAreKeptHoweverTheyAreCut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	redactor, _ := redact.New(make([]byte, 32), []string{secret}, nil)
	r := newRecorder(t, 1<<30)
	wanted := map[string]int{}
	for range 300 {
		var body strings.Builder
		for n := range 60 {
			switch random.IntN(12) {
			case 0:
				fmt.Fprintf(&body, "event: progress\ndata: {\"durationMs\":%d}\n\n", random.IntN(1_000_000))
			case 1:
				body.WriteString("data: " + secret + "\n\n")
			case 2:
				body.WriteString("\n\n\n")
			default:
				body.WriteString(event(n * 37))
			}
		}
		text := body.String()[:random.IntN(body.Len())]
		wanted[redactor.Text(text)]++
		keep(r, Meta{Interface: "stream"}, []byte(text), func() int { return 1 + random.IntN(1+random.IntN(9000)) })
	}
	r.Settle()
	found := everything(t, r)
	for _, one := range found {
		wanted[one.body]--
		var sum int64
		for _, c := range one.chunks {
			sum += c.bytes
		}
		if sum != int64(len(one.body)) {
			t.Errorf("chunks of %d bytes for %d", sum, len(one.body))
		}
	}
	for text, n := range wanted {
		if n != 0 {
			t.Errorf("%d of %.80q", n, text)
		}
	}
	if c := r.Counts()["search"]; c.Sent != 300 || c.Kept != 300 || len(found) != 300 {
		t.Errorf("%+v, found %d", c, len(found))
	}
}

func TestLongEventsAreKeptInPartsWithoutSecrets(t *testing.T) {
	for _, c := range []struct {
		name, secret string
		isCut        bool
	}{
		{"an ordinary secret", secret, true},
		{"a secret that may stand where events are cut", `pass},{"word"},{`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 4))
			redactor, _ := redact.New(make([]byte, 32), []string{c.secret}, nil)
			coded := []string{
				c.secret, url.QueryEscape(c.secret), base64.StdEncoding.EncodeToString([]byte(c.secret)), "sgp_1234567890abcdef",
				strings.ReplaceAll(c.secret, "s", `\u0073`), "https://me:" + hex.EncodeToString([]byte(c.secret)) + "@host/",
			}
			r := recorderOf(t, Options{MaxBytes: 1 << 30, Now: func() int64 { return 0 }}, c.secret)
			wanted := []string{}
			for range 6 {
				var body strings.Builder
				body.WriteString("event: matches\ndata: [")
				for body.Len() < 5*minSplitBytes {
					fmt.Fprintf(&body, `{"line":"%s%s"},`, strings.Repeat("x", random.IntN(300)), coded[random.IntN(len(coded))])
				}
				body.WriteString("{}]\n\n")
				wanted = append(wanted, redactor.Text(body.String()))
				keep(r, Meta{Interface: "stream"}, []byte(body.String()), func() int { return 1 + random.IntN(40_000) })
			}
			r.Settle()
			found := everything(t, r)
			if len(found) != len(wanted) {
				t.Fatalf("%d of %d", len(found), len(wanted))
			}
			slices.SortFunc(found, func(one, other read) int { return strings.Compare(one.body, other.body) })
			slices.Sort(wanted)
			for i := range wanted {
				if found[i].body != wanted[i] || (found[i].parts > 3) != c.isCut {
					t.Errorf("%d bytes in %d parts, wanted %d", len(found[i].body), found[i].parts, len(wanted[i]))
				}
			}
		})
	}
}

func TestNoSecretIsWritten(t *testing.T) {
	r := newRecorder(t, 1<<30)
	for n := range 40 {
		body := []byte("event: matches\ndata: \"" + secret + "\"\n\n")
		for _, group := range []Group{Search, Conversation} {
			keep(r, Meta{Group: group, Session: strings.Repeat("s", int(group)), Interface: "legacy"}, body, func() int { return n + 1 })
		}
	}
	r.Settle()
	paths, _ := filepath.Glob(filepath.Join(r.options.Folder, "*"))
	for _, path := range paths {
		if b, err := os.ReadFile(path); err != nil || bytes.Contains(b, []byte(secret[5:])) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if len(everything(t, r)) != 80 {
		t.Error("not everything was kept")
	}
}

func TestHalfOfAllIsLeftOutWhereTheFilesAreFull(t *testing.T) {
	const maxBytes = 64 << 10
	r := newRecorder(t, maxBytes)
	for n := range 3000 {
		keep(r, Meta{Interface: "stream"}, []byte(event(n)+"event: done\ndata: {}\n\n"), func() int { return 1 << 20 })
		if n%100 == 0 {
			r.Settle()
		}
	}
	r.Settle()
	size := sizeOf(t, r)
	c := r.Counts()["search"]
	if size > maxBytes || c.Halvings < 3 || c.Sent != 3000 || c.Kept+c.ThinnedOut+c.Lost != 3000 || int(c.Kept) != len(everything(t, r)) {
		t.Errorf("%d bytes, %+v, %d found", size, c, len(everything(t, r)))
	}
}

// sizeOf is that of all files together.
func sizeOf(t testing.TB, r *Recorder) (size int64) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(r.options.Folder, "*.bin"))
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	return size
}

func TestHalfOfAllIsLeftOutWhereTooMuchComesAtATime(t *testing.T) {
	for _, c := range []struct {
		name string
		// Exchanges of 20 kB, this many microseconds apart.
		count, micros int64
		isNew         bool
		isThinned     bool
	}{
		{"new, as fast as is written", 59, 320_000, true, false},
		{"new, faster", 59, 200_000, true, true},
		{"new, all at once", 59, 0, true, true},
		{"come again, as fast as what is new must not", 59, 200_000, false, false},
		{"come again, all at once", 600, 0, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var now, number int64
			r := recorderOf(t, Options{MaxBytes: 1 << 30, Now: func() int64 { return now }}, secret)
			// A hundredth of what it is.
			r.maxPace /= 100
			for range c.count {
				if c.isNew {
					number++
				}
				body := fmt.Sprintf("event: matches\ndata: [%d,\"%s\"]\n\n", number, strings.Repeat("x", 20_000))
				keep(r, Meta{Interface: "stream"}, []byte(body), func() int { return 1 << 20 })
				r.Settle()
				now += c.micros
			}
			count := r.Counts()["search"]
			if (count.ThinnedOut > 0) != c.isThinned || (count.Halvings > 0) != c.isThinned || r.problem.Load() != nil {
				t.Errorf("%+v", count)
			}
			if count.Sent != c.count || count.Kept+count.ThinnedOut != c.count || int(count.Kept) != len(everything(t, r)) {
				t.Errorf("%+v", count)
			}
		})
	}
}

func TestWhatIsForgottenIsWrittenAgain(t *testing.T) {
	r := newRecorder(t, 1<<30)
	r.maxKnownPieces = 50
	slow := r.Begin(Meta{Interface: "stream"}, get("/slow"), "")
	slow.Append([]byte(event(1)), 1)
	slow.sendBuffer()
	for n := range 3 {
		var body strings.Builder
		for i := range r.maxKnownPieces + 10 {
			fmt.Fprintf(&body, "data: %d %d\n\n", n, i)
		}
		for range 6 {
			keep(r, Meta{Interface: "stream"}, []byte(body.String()), func() int { return 1 << 20 })
			r.Settle()
		}
	}
	slow.End(End{})
	r.Settle()
	if c := r.Counts()["search"]; c.Sent != 19 || int(c.Kept) != len(everything(t, r)) || c.Kept < 18 {
		t.Errorf("%+v", c)
	}
}

func TestNothingWaitsForTheDisk(t *testing.T) {
	r := newRecorder(t, 1<<30)
	r.once.Do(func() {})
	for range 2 * queueLength {
		keep(r, Meta{Interface: "stream"}, []byte(event(3)), func() int { return 1 << 20 })
	}
	if c := r.Counts()["search"]; c.Lost < queueLength || c.Sent != 2*queueLength {
		t.Errorf("%+v", c)
	}
}

func TestAFolderThatCannotBeMade(t *testing.T) {
	r := newRecorder(t, 1<<30)
	if err := os.WriteFile(r.options.Folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	keep(r, Meta{Interface: "stream"}, []byte(event(3)), func() int { return 1 << 20 })
	r.Settle()
	if problem := r.problem.Load(); problem == nil || r.Counts()["search"].Lost != 1 {
		t.Errorf("%+v", r.Counts())
	}
}

func TestWithoutAFolderNothingIsKept(t *testing.T) {
	r := New(Options{MaxBytes: 1})
	e := r.Begin(Meta{}, get("/"), "")
	e.Head(&http.Response{})
	if e.NextBuffer() != nil {
		t.Error("there is room")
	}
	e.End(End{})
	r.SessionEnded("x")
	r.Settle()
}
