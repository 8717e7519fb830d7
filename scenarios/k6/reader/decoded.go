package reader

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
)

// maxInflatedBytes limits the decompressed size of a body.
const maxInflatedBytes = 1 << 30

var (
	errInflated = errors.New("the decompressed body is too large")
	errNotGzip  = errors.New("the body does not have its content encoding")
)

// decoded returns the body without its content encoding. It returns false if the encoding is not supported.
func decoded(response *http.Response) (io.Reader, bool) {
	switch encoding := strings.ToLower(strings.Join(response.Header.Values("Content-Encoding"), ",")); encoding {
	case "", "identity":
		return response.Body, true
	case "gzip", "x-gzip":
		return &inflated{raw: response.Body, left: maxInflatedBytes}, true
	}
	return nil, false
}

// inflated decompresses gzip. It does not read before the first Read.
type inflated struct {
	raw  io.Reader
	gzip *gzip.Reader
	left int64
}

func (i *inflated) Read(p []byte) (int, error) {
	if i.gzip == nil {
		reader, err := gzip.NewReader(i.raw)
		if err != nil {
			return 0, gzipError(err)
		}
		// Do not wait for a second gzip member.
		reader.Multistream(false)
		i.gzip = reader
	}
	n, err := i.gzip.Read(p)
	if i.left -= int64(n); i.left < 0 {
		return n, errInflated
	}
	return n, gzipError(err)
}

func gzipError(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt) {
		return errNotGzip
	}
	return err
}
