package stream

// Violation is a violation of the event format, from a closed list.
type Violation uint8

// The violations, as in packages/contract/src/grammar-codes.ts.
const (
	ThirdField Violation = iota
	NotAField
	Comment
	IDField
	RetryField
	MissingEvent
	MissingData
	RepeatedEvent
	RepeatedData
	EmptyEventName
	CarriageReturn
	ExtraBlankLine
	MissingBlankLine
	UnterminatedEvent
	ByteOrderMark
	InvalidUTF8
	DataNotJSON
	BytesAfterDone
	SecondDone
	NoDone
	DoneNotEmpty
	violationCount
)

var violationNames = [violationCount]string{
	ThirdField:        "third-field",
	NotAField:         "not-a-field",
	Comment:           "comment",
	IDField:           "id-field",
	RetryField:        "retry-field",
	MissingEvent:      "missing-event",
	MissingData:       "missing-data",
	RepeatedEvent:     "repeated-event",
	RepeatedData:      "repeated-data",
	EmptyEventName:    "empty-event-name",
	CarriageReturn:    "carriage-return",
	ExtraBlankLine:    "extra-blank-line",
	MissingBlankLine:  "missing-blank-line",
	UnterminatedEvent: "unterminated-event",
	ByteOrderMark:     "byte-order-mark",
	InvalidUTF8:       "invalid-utf8",
	DataNotJSON:       "data-not-json",
	BytesAfterDone:    "bytes-after-done",
	SecondDone:        "second-done",
	NoDone:            "no-done",
	DoneNotEmpty:      "done-not-empty",
}

// String returns the code that results contain.
func (v Violation) String() string { return violationNames[v] }

// Observation is a permitted choice of a server, from a closed list.
type Observation uint8

// The recorded choices.
const (
	FieldOrder Observation = iota
	NoSpaceAfterColon
	NoLastSeparator
	UnlistedEventName
	observationCount
)

var observationNames = [observationCount]string{
	FieldOrder:        "field-order",
	NoSpaceAfterColon: "no-space-after-colon",
	NoLastSeparator:   "no-last-separator",
	UnlistedEventName: "unlisted-event-name",
}

// String returns the code that results contain.
func (o Observation) String() string { return observationNames[o] }

// Name is the name of an event: a listed one, or Other.
type Name uint8

// The names that the specification lists. Other stands for all others.
const (
	Matches Name = iota
	Progress
	Filters
	Alert
	Done
	Other
	nameCount
)

var eventNames = [nameCount]string{"matches", "progress", "filters", "alert", "done", "other"}

// String returns the name as the server sends it, or "other" for unlisted names.
func (n Name) String() string { return eventNames[n] }
