package reader

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"assay/k6/stream"
)

// Cause is the reason for a failure, from a closed list. It never quotes the target or the operating system.
type Cause string

// The causes.
const (
	CauseNone Cause = ""
	// CauseBadURL: the URL is not an http or https URL.
	CauseBadURL Cause = "malformed-url"
	// CauseDNS: the host name is unknown.
	CauseDNS Cause = "dns"
	// CauseRefused: no server listens on the host and port.
	CauseRefused Cause = "connection-refused"
	// CauseConnect: connecting failed for another reason.
	CauseConnect Cause = "connect"
	CauseTLS     Cause = "tls"
	// CauseReset: the target reset the connection.
	CauseReset Cause = "reset"
	// CauseCut: the connection was closed in the middle of a response.
	CauseCut Cause = "cut"
	// CauseNoAnswer: the connection was closed before a response.
	CauseNoAnswer Cause = "no-answer"
	// CauseBadAnswer: the response is not HTTP.
	CauseBadAnswer Cause = "malformed-answer"
	// CauseEncoding: the body cannot be decoded.
	CauseEncoding Cause = "content-encoding"
	CauseTimeout  Cause = "timeout"
	// CauseGenerator: this machine had no socket or port left.
	CauseGenerator Cause = "out-of-sockets"
	CauseCanceled  Cause = "canceled"
	// CauseLine, CauseEvents and CauseInflated: a limit of Assay was reached.
	CauseLine     Cause = "event-too-long"
	CauseEvents   Cause = "too-many-events"
	CauseInflated Cause = "decompression-limit"
	// CauseAfterDone: the connection broke after done; the stream itself was complete.
	CauseAfterDone Cause = "broken-after-done"
)

// Failure returns the failure code of packages/evidence. It is empty for a complete exchange.
func (r *Result) Failure() string {
	switch r.Ended {
	case EndedTimeout:
		if r.HeadersAt == stream.Never {
			return "first-byte-timeout"
		}
		return "total-timeout"
	case EndedCanceled:
		return "aborted"
	}
	return r.Cause.failure()
}

func (c Cause) failure() string {
	switch c {
	case CauseNone:
		return ""
	case CauseDNS, CauseTLS, CauseReset:
		return string(c)
	case CauseRefused:
		return "refused"
	case CauseConnect, CauseGenerator:
		return "unreachable"
	case CauseCut:
		return "truncated"
	case CauseNoAnswer, CauseAfterDone:
		return "reset"
	case CauseEncoding:
		return "decompression"
	case CauseInflated:
		return "decompression-limit"
	case CauseLine, CauseEvents:
		return "body-limit"
	}
	return "protocol"
}

// FailureCode returns the failure code of an exchange that another package read. hasAnswer is true if the response had
// begun.
func FailureCode(ctx context.Context, err error, hasAnswer bool) string {
	fallback := CauseConnect
	r := Result{HeadersAt: stream.Never}
	if hasAnswer {
		fallback, r.HeadersAt = CauseReset, 0
	}
	r.Ended, r.Cause = classifyFailure(ctx, err, fallback)
	return r.Failure()
}

// classifyFailure classifies an error that ended a stream early.
func classifyFailure(ctx context.Context, err error, fallback Cause) (Ended, Cause) {
	if ctxErr := ctx.Err(); ctxErr != nil {
		if errors.Is(ctxErr, context.DeadlineExceeded) {
			return EndedTimeout, CauseTimeout
		}
		return EndedCanceled, CauseCanceled
	}
	cause := classifyCause(err, fallback)
	if cause == CauseGenerator {
		return EndedLimit, cause
	}
	return EndedTransport, cause
}

// generatorErrors mean that this machine ran out of a resource. The target is not to blame.
var generatorErrors = []error{syscall.EMFILE, syscall.ENFILE, syscall.EADDRNOTAVAIL, syscall.ENOBUFS, syscall.ENOMEM}

func isGeneratorError(err error) bool {
	var op *net.OpError
	if errors.Is(err, syscall.EADDRNOTAVAIL) && errors.As(err, &op) {
		// A machine without IPv6 returns this for every IPv6 address.
		address, isTCP := op.Addr.(*net.TCPAddr)
		return isTCP && address.IP.To4() != nil
	}
	return slices.ContainsFunc(generatorErrors, func(target error) bool { return errors.Is(err, target) })
}

func classifyCause(err error, fallback Cause) Cause {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case isGeneratorError(err):
		return CauseGenerator
	case errors.As(err, &dns):
		return CauseDNS
	case errors.Is(err, syscall.ECONNREFUSED):
		return CauseRefused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return CauseReset
	case isTLS(err):
		return CauseTLS
	case errors.As(err, &op) && op.Op == "dial":
		return CauseConnect
	case errors.Is(err, io.ErrUnexpectedEOF):
		return CauseCut
	case errors.Is(err, io.EOF):
		return CauseNoAnswer
	case isNotHTTP(err):
		return CauseBadAnswer
	}
	return fallback
}

func isTLS(err error) bool {
	var header tls.RecordHeaderError
	var verification *tls.CertificateVerificationError
	var alert tls.AlertError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var op *net.OpError
	// A TLS alert of the peer, such as about a client certificate, has no type.
	if errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") {
		return true
	}
	return errors.As(err, &header) || errors.As(err, &verification) || errors.As(err, &alert) ||
		errors.As(err, &authority) || errors.As(err, &host)
}

func isNotHTTP(err error) bool {
	var protocol *http.ProtocolError
	if errors.As(err, &protocol) {
		return true
	}
	// net/http has no types for most malformed responses.
	text := err.Error()
	return slices.ContainsFunc([]string{"malformed", "chunk", "line too long", "transport connection broken"}, func(part string) bool {
		return strings.Contains(text, part)
	})
}
