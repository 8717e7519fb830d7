// Package stream checks the bytes of one search stream against the event format: line ends, UTF-8, the two fields,
// blank lines, JSON of every event, the end. It reports the same codes and counts as packages/stream-grammar for the
// same bytes; both are tested with packages/stream-grammar/fixtures.
package stream
