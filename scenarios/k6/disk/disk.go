// Package disk describes why a file cannot be written.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Error is a failed write. Its message includes advice.
type Error struct {
	// FileKind is a noun phrase such as "the samples file".
	FileKind string
	Path     string
	Cause    error
}

// Error returns the message.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %s cannot be written: %s", e.FileKind, e.Path, describeCause(e.Cause))
}

// Unwrap returns the error of the system.
func (e *Error) Unwrap() error { return e.Cause }

func describeCause(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full; free some space"
	case errors.Is(err, syscall.EDQUOT):
		return "the disk quota is exhausted; free some space"
	case errors.Is(err, fs.ErrPermission):
		return "permission was denied; choose a folder that can be written"
	case errors.Is(err, syscall.EROFS):
		return "the file system is read-only; choose another folder"
	case errors.Is(err, fs.ErrNotExist):
		return "its folder does not exist; create it first"
	case errors.Is(err, fs.ErrExist):
		return "it has content already; choose a new folder for each run"
	}
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Sprintf("%s", err)
}

// AppendWhole appends all of b to a file or leaves the file unchanged. It truncates a partial write, such as to a full
// disk.
func AppendWhole(file *os.File, b []byte) error {
	n, err := file.Write(b)
	if err == nil || n == 0 {
		return err
	}
	if info, statErr := file.Stat(); statErr == nil && info.Mode().IsRegular() {
		_ = file.Truncate(info.Size() - int64(n))
	}
	return err
}
