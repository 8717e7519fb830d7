package module

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
)

// arguments reads the members of an object from a script. It keeps the first error. Later reads return zero values.
type arguments struct {
	rt     *sobek.Runtime
	object *sobek.Object
	label  string
	err    error
}

// newArguments reads an object. label names it in errors. A member that is not in memberNames is an error.
func newArguments(rt *sobek.Runtime, value sobek.Value, label string, memberNames []string) *arguments {
	a := &arguments{rt: rt, label: label}
	object, ok := value.(*sobek.Object)
	if !ok {
		a.fail(label + " must be an object")
		return a
	}
	a.object = object
	for _, key := range object.Keys() {
		if !slices.Contains(memberNames, key) {
			a.fail(fmt.Sprintf("%s has no member %q; it has %v", label, key, memberNames))
		}
	}
	return a
}

func (a *arguments) fail(clause string) {
	if a.err == nil {
		a.err = fmt.Errorf("%s", clause)
	}
}

// get returns a member, or nil.
func (a *arguments) get(name string) sobek.Value {
	if a.err != nil {
		return nil
	}
	value := a.object.Get(name)
	if common.IsNullish(value) {
		return nil
	}
	return value
}

func (a *arguments) failMember(name, expected string) {
	a.fail(fmt.Sprintf("%s of %s must be %s", name, a.label, expected))
}

// text reads a required string.
func (a *arguments) text(name string) string {
	if text, ok := exportAs[string](a.get(name)); ok {
		return text
	}
	a.failMember(name, "a string")
	return ""
}

// textOr reads an optional string.
func (a *arguments) textOr(name, fallback string) string {
	if a.get(name) == nil {
		return fallback
	}
	return a.text(name)
}

// choice reads a required string that must be one of choices.
func (a *arguments) choice(name string, choices ...string) string {
	text, ok := exportAs[string](a.get(name))
	if !ok || !slices.Contains(choices, text) {
		a.failMember(name, fmt.Sprintf("one of %v", choices))
	}
	return text
}

func (a *arguments) flag(name string) bool {
	value := a.get(name)
	if value == nil {
		return false
	}
	flag, ok := exportAs[bool](value)
	if !ok {
		a.failMember(name, "true or false")
	}
	return flag
}

// number reads a required finite number.
func (a *arguments) number(name string) float64 {
	if number, ok := toFinite(a.get(name)); ok {
		return number
	}
	a.failMember(name, "a number")
	return 0
}

// numberOr reads an optional finite number.
func (a *arguments) numberOr(name string, fallback float64) float64 {
	if a.get(name) == nil {
		return fallback
	}
	return a.number(name)
}

// maxSafeInteger is the largest integer that JavaScript represents exactly.
const maxSafeInteger = 1<<53 - 1

// atLeast reads an optional number with a lower bound. It caps the number at the largest safe integer.
func (a *arguments) atLeast(name string, minimum, fallback float64) float64 {
	number := a.numberOr(name, fallback)
	if number < minimum {
		a.failMember(name, fmt.Sprintf("a number of at least %v", minimum))
		return minimum
	}
	return min(number, maxSafeInteger)
}

// micros reads a time in milliseconds.
func (a *arguments) micros(name string) int64 { return micros(a.number(name)) }

// microsOr reads an optional time in milliseconds.
func (a *arguments) microsOr(name string, fallback int64) int64 {
	if a.get(name) == nil {
		return fallback
	}
	return a.micros(name)
}

// stringMap reads an optional object of strings. Numbers and booleans become strings.
func (a *arguments) stringMap(name string) map[string]string {
	value := a.get(name)
	if value == nil {
		return nil
	}
	object, ok := value.(*sobek.Object)
	if !ok {
		a.failMember(name, "an object")
		return nil
	}
	stringMap := make(map[string]string)
	for _, key := range object.Keys() {
		stringMap[key] = object.Get(key).String()
	}
	return stringMap
}

// counts reads an optional object of integers.
func (a *arguments) counts(name string) map[string]int {
	value := a.get(name)
	if value == nil {
		return nil
	}
	object, ok := value.(*sobek.Object)
	if !ok {
		a.failMember(name, "an object")
		return nil
	}
	counts := make(map[string]int)
	for _, key := range object.Keys() {
		number, ok := toFinite(object.Get(key))
		if !ok {
			a.failMember(name, "an object of numbers")
		}
		if number > 0 {
			counts[key] = int(number)
		}
	}
	return counts
}

func exportAs[T any](value sobek.Value) (T, bool) {
	if value == nil {
		var zero T
		return zero, false
	}
	typed, ok := value.Export().(T)
	return typed, ok
}

func toFinite(value sobek.Value) (float64, bool) {
	if value == nil {
		return 0, false
	}
	switch number := value.Export().(type) {
	case int64:
		return float64(number), true
	case float64:
		return number, !math.IsNaN(number) && !math.IsInf(number, 0)
	}
	return 0, false
}

// micros converts milliseconds to whole microseconds.
func micros(ms float64) int64 {
	const maxMicros = 1e15
	return int64(math.Round(min(maxMicros, max(-maxMicros, ms*1e3))))
}

// parseAsScript converts a Go value to the JavaScript value that JSON.parse returns for its JSON.
func parseAsScript(rt *sobek.Runtime, value any) sobek.Value {
	text, err := json.Marshal(value)
	if err != nil {
		common.Throw(rt, err)
	}
	parse, ok := sobek.AssertFunction(rt.GlobalObject().Get("JSON").ToObject(rt).Get("parse"))
	if !ok {
		common.Throw(rt, fmt.Errorf("JSON.parse is not a function"))
	}
	parsed, err := parse(sobek.Undefined(), rt.ToValue(string(text)))
	if err != nil {
		panic(err)
	}
	return parsed
}
