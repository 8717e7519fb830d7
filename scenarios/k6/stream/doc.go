// Package stream checks the bytes of one search stream against the event format: line ends, UTF-8, the two fields,
// blank lines, JSON of every event, the end. It says what packages/stream-grammar says of the same bytes, in the same
// codes and numbers; both are held to packages/stream-grammar/fixtures.
//
// Nothing is kept of an event but numbers: data is read as JSON while it arrives, so that memory does not depend on
// what a server sends.
package stream
