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
	errBodyTooLarge = errors.New("the decompressed body is too large")
	errNotGzip      = errors.New("the body does not have its content encoding")
)

// decodeBody returns the body without its content encoding. It returns false if the encoding is not supported.
func decodeBody(response *http.Response) (io.Reader, bool) {
	switch encoding := strings.ToLower(strings.Join(response.Header.Values("Content-Encoding"), ",")); encoding {
	case "", "identity":
		return response.Body, true
	case "gzip", "x-gzip":
		return &gzipBody{raw: response.Body, remaining: maxInflatedBytes}, true
	}
	return nil, false
}

// gzipBody decompresses gzip. It does not read before the first Read.
type gzipBody struct {
	raw       io.Reader
	gzip      *gzip.Reader
	remaining int64
}

func (i *gzipBody) Read(p []byte) (int, error) {
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
	if i.remaining -= int64(n); i.remaining < 0 {
		return n, errBodyTooLarge
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
