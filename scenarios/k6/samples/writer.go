package samples

import (
	"io/fs"
	"os"
	"strconv"
	"sync"

	"assay/k6/disk"

	"github.com/go-json-experiment/json/jsontext"
)

// Header is the first line of a file of samples.
type Header struct {
	EpochMs   float64
	K6Version string
}

// Writer writes samples to a file that it creates with the first one. It is safe for concurrent use. Each line is one
// write, so that the file stays readable if the process is killed.
type Writer struct {
	path   string
	header Header

	mutex   sync.Mutex
	file    *os.File
	buffer  []byte
	failure error
}

// NewWriter returns a writer. If path is empty, it writes nothing.
func NewWriter(path string, header Header) *Writer {
	return &Writer{path: path, header: header}
}

// Write adds a sample. After a failure every call fails with the same *disk.Error.
func (w *Writer) Write(sample *Sample) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if err := w.open(); err != nil || w.path == "" {
		return err
	}
	w.buffer = sample.append(w.buffer[:0])
	return w.writeBuffer()
}

// Close closes the file.
func (w *Writer) Close() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file = nil
	return err
}

func (w *Writer) open() error {
	if w.path == "" || w.file != nil || w.failure != nil {
		return w.failure
	}
	file, err := os.OpenFile(w.path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return w.fail(err)
	}
	if info, err := file.Stat(); err != nil || info.Size() > 0 {
		_ = file.Close()
		if err == nil {
			err = fs.ErrExist
		}
		return w.fail(err)
	}
	w.file = file
	w.buffer = w.header.append(w.buffer[:0])
	return w.writeBuffer()
}

func (w *Writer) writeBuffer() error {
	if err := disk.AppendWhole(w.file, w.buffer); err != nil {
		return w.fail(err)
	}
	return nil
}

func (w *Writer) fail(err error) error {
	w.failure = &disk.Error{FileKind: "the samples file", Path: w.path, Cause: err}
	return w.failure
}

func (h Header) append(b []byte) []byte {
	b = append(b, `{"assay":"samples","version":2,"epochMs":`...)
	b = strconv.AppendFloat(b, h.EpochMs, 'f', -1, 64)
	b = append(b, `,"k6Version":`...)
	b, _ = jsontext.AppendQuote(b, h.K6Version)
	return append(b, '}', '\n')
}
