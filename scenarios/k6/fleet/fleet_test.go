package fleet

import (
	"bufio"
	"encoding/json"
	"net"
	"testing"
	"time"
)

const patience = 20 * time.Second

// coordinator is the other end of a member, played by a test.
type coordinator struct {
	t        *testing.T
	listener net.Listener
}

func listen(t *testing.T) *coordinator {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return &coordinator{t: t, listener: listener}
}

func (c *coordinator) accept() (net.Conn, *bufio.Scanner) {
	c.t.Helper()
	connection, err := c.listener.Accept()
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = connection.Close() })
	_ = connection.SetReadDeadline(time.Now().Add(patience))
	return connection, bufio.NewScanner(connection)
}

func readUntil(t *testing.T, lines *bufio.Scanner, isWanted func(message) bool) message {
	t.Helper()
	for lines.Scan() {
		var received message
		if err := json.Unmarshal(lines.Bytes(), &received); err != nil {
			t.Fatal(err)
		}
		if isWanted(received) {
			return received
		}
	}
	t.Fatal("the connection ended before the line")
	return message{}
}

type paused struct {
	side  string
	pause time.Duration
}

func start(t *testing.T, c *coordinator) (member *Member, pauses chan paused, ends chan error) {
	t.Helper()
	pauses, ends = make(chan paused, 10), make(chan error, 10)
	member = New(Options{
		Address: c.listener.Addr().String(), Key: "secret", Name: "load-1",
		OnDistress: func(side string, pause time.Duration) { pauses <- paused{side, pause} },
		OnEnd:      func(reason error) { ends <- reason },
	})
	member.Start()
	return member, pauses, ends
}

func receive[T any](t *testing.T, values chan T) T {
	t.Helper()
	select {
	case value := <-values:
		return value
	case <-time.After(patience):
		t.Fatal("nothing was received")
		panic("unreachable")
	}
}

func TestMemberReportsWhatItsTargetAnswers(t *testing.T) {
	c := listen(t)
	member, _, _ := start(t, c)
	_, lines := c.accept()
	first := readUntil(t, lines, func(message) bool { return true })
	if first.Hello == nil || first.Hello.Key != "secret" || first.Hello.Name != "load-1" {
		t.Fatalf("the first line is %+v", first)
	}
	member.Succeeded()
	member.Succeeded()
	member.Failed("timeout")
	counted := readUntil(t, lines, func(m message) bool { return m.Counts != nil && m.Counts.OK > 0 })
	if *counted.Counts != (counts{OK: 2, Failed: 1, LastFailure: "timeout"}) {
		t.Fatalf("the counts are %+v", *counted.Counts)
	}
	next := readUntil(t, lines, func(m message) bool { return m.Counts != nil })
	if *next.Counts != (counts{}) {
		t.Fatalf("the counts are sent twice: %+v", *next.Counts)
	}
}

func TestMemberReportsDistressWithTheRequestedPause(t *testing.T) {
	c := listen(t)
	member, _, _ := start(t, c)
	_, lines := c.accept()
	member.Distress("head", 7*time.Second)
	member.Distress("base", -1)
	isDistress := func(m message) bool { return m.Distress != nil }
	for _, want := range []distress{{Side: "head", PauseMs: 7000}, {Side: "base"}} {
		if got := readUntil(t, lines, isDistress); *got.Distress != want {
			t.Fatalf("reported %+v, want %+v", *got.Distress, want)
		}
	}
}

func TestMemberHearsOfTheDistressOfOthers(t *testing.T) {
	c := listen(t)
	_, pauses, _ := start(t, c)
	connection, _ := c.accept()
	_, _ = connection.Write([]byte("not json\n{}\n" + `{"distress":{"side":"base","pauseMs":1500}}` + "\n"))
	if got := receive(t, pauses); got != (paused{"base", 1500 * time.Millisecond}) {
		t.Fatalf("heard %+v", got)
	}
}

func TestMemberEndsWhenTheCoordinatorEndsTheLoad(t *testing.T) {
	c := listen(t)
	_, _, ends := start(t, c)
	connection, _ := c.accept()
	_, _ = connection.Write([]byte(`{"end":"the target is overloaded"}` + "\n"))
	if got := receive(t, ends); got == nil || got.Error() != "the target is overloaded" {
		t.Fatalf("ended with %v", got)
	}
}

func TestMemberEndsWithoutCoordinator(t *testing.T) {
	c := listen(t)
	_, _, ends := start(t, c)
	connection, _ := c.accept()
	_ = connection.Close()
	if got := receive(t, ends); got != errUnreachable {
		t.Fatalf("ended with %v", got)
	}
}

func TestNoMemberDoesNothing(t *testing.T) {
	member := New(Options{})
	if member != nil {
		t.Fatal("a process without coordinator has a member")
	}
	member.Start()
	member.Succeeded()
	member.Failed("timeout")
	member.Distress("base", 0)
}
