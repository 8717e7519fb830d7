// Package fleet connects the processes of one load. Each of them reports what its target answers to a coordinator, which passes on when the
// target asks for fewer requests, so that all processes slow down, and which can end the load.
package fleet

import (
	"bufio"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"time"
)

const (
	connectTimeout = 30 * time.Second
	retryInterval  = 250 * time.Millisecond
	reportInterval = 500 * time.Millisecond
	writeTimeout   = 10 * time.Second
	// silenceTimeout ends the load of a process whose coordinator sends nothing, not even its regular sign of life.
	silenceTimeout = 15 * time.Second
)

// errUnreachable is the end of a load that nobody would coordinate.
var errUnreachable = errors.New("the coordinator of the load cannot be reached, so the load ends")

// Options of a member.
type Options struct {
	// Address of the coordinator, as host:port.
	Address string
	// Key shows the coordinator that the process belongs to its load.
	Key string
	// Name of the process.
	Name string
	// OnDistress is called when the target asked another process for fewer requests.
	OnDistress func(side string, pause time.Duration)
	// OnEnd is called once, when the load must end.
	OnEnd func(reason error)
}

// Member is the connection of one process to the coordinator. It is safe for concurrent use. A nil member does nothing.
type Member struct {
	options Options
	once    sync.Once
	wake    chan struct{}

	mutex   sync.Mutex
	counts  counts
	pending []distress
}

type counts struct {
	OK          int64  `json:"ok"`
	Failed      int64  `json:"failed"`
	LastFailure string `json:"lastFailure,omitempty"`
}

type distress struct {
	Side    string `json:"side"`
	PauseMs int64  `json:"pauseMs"`
}

type hello struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

// message is a line in either direction.
type message struct {
	Hello    *hello    `json:"hello,omitempty"`
	Counts   *counts   `json:"counts,omitempty"`
	Distress *distress `json:"distress,omitempty"`
	End      string    `json:"end,omitempty"`
}

// New returns a member, or nil if there is no coordinator.
func New(options Options) *Member {
	if options.Address == "" {
		return nil
	}
	return &Member{options: options, wake: make(chan struct{}, 1)}
}

// Start connects to the coordinator. Further calls do nothing.
func (m *Member) Start() {
	if m != nil {
		m.once.Do(func() { go func() { m.options.OnEnd(m.serve()) }() })
	}
}

// Succeeded counts a response that shows that the target can handle the load.
func (m *Member) Succeeded() {
	if m != nil {
		m.mutex.Lock()
		m.counts.OK++
		m.mutex.Unlock()
	}
}

// Failed counts a failed request.
func (m *Member) Failed(outcome string) {
	if m != nil {
		m.mutex.Lock()
		m.counts.Failed++
		m.counts.LastFailure = outcome
		m.mutex.Unlock()
	}
}

// Distress counts a failed request, and reports at once that the target asked for fewer requests. requestedPause is 0 or less if it did
// not ask for a time.
func (m *Member) Distress(side string, requestedPause time.Duration) {
	if m == nil {
		return
	}
	m.Failed("distress")
	m.mutex.Lock()
	m.pending = append(m.pending, distress{Side: side, PauseMs: max(0, requestedPause.Milliseconds())})
	m.mutex.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

func (m *Member) connect() (net.Conn, error) {
	deadline := time.Now().Add(connectTimeout)
	for {
		connection, err := net.DialTimeout("tcp", m.options.Address, connectTimeout)
		if err == nil || time.Now().After(deadline) {
			return connection, err
		}
		time.Sleep(retryInterval)
	}
}

// serve exchanges messages until the load must end. It returns why.
func (m *Member) serve() error {
	connection, err := m.connect()
	if err != nil {
		return errUnreachable
	}
	defer connection.Close()
	ended := make(chan error, 2)
	go func() { ended <- m.read(connection) }()
	go func() { ended <- m.write(connection) }()
	return <-ended
}

func (m *Member) read(connection net.Conn) error {
	lines := bufio.NewScanner(connection)
	for {
		if connection.SetReadDeadline(time.Now().Add(silenceTimeout)) != nil || !lines.Scan() {
			return errUnreachable
		}
		var received message
		if json.Unmarshal(lines.Bytes(), &received) != nil {
			continue
		}
		if received.End != "" {
			return errors.New(received.End)
		}
		if received.Distress != nil {
			m.options.OnDistress(received.Distress.Side, time.Duration(received.Distress.PauseMs)*time.Millisecond)
		}
	}
}

func (m *Member) write(connection net.Conn) error {
	encoder := json.NewEncoder(connection)
	send := func(line message) error {
		if err := connection.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return err
		}
		return encoder.Encode(line)
	}
	if send(message{Hello: &hello{Key: m.options.Key, Name: m.options.Name}}) != nil {
		return errUnreachable
	}
	ticker := time.NewTicker(reportInterval)
	defer ticker.Stop()
	for {
		isTick := false
		select {
		case <-m.wake:
		case <-ticker.C:
			isTick = true
		}
		for _, line := range m.take(isTick) {
			if send(line) != nil {
				return errUnreachable
			}
		}
	}
}

// take returns the lines to send now, and forgets them.
func (m *Member) take(withCounts bool) []message {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	lines := make([]message, 0, len(m.pending)+1)
	for index := range m.pending {
		lines = append(lines, message{Distress: &m.pending[index]})
	}
	m.pending = nil
	if withCounts {
		total := m.counts
		lines = append(lines, message{Counts: &total})
		m.counts = counts{}
	}
	return lines
}
