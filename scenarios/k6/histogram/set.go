package histogram

import (
	"cmp"
	"slices"
	"sync"
)

// Key tells histograms of a set apart.
type Key struct {
	Metric string `json:"metric"`
	Arm    string `json:"arm"`
	Phase  string `json:"phase"`
}

// Set holds one histogram for each key. Safe for use by many goroutines; the zero value is empty.
type Set struct {
	mutex sync.Mutex
	all   map[Key]*Histogram
}

// Add counts a value in the histogram of a key.
func (s *Set) Add(key Key, micros int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h := s.all[key]
	if h == nil {
		if s.all == nil {
			s.all = make(map[Key]*Histogram)
		}
		h = &Histogram{}
		s.all[key] = h
	}
	h.Add(micros)
}

// Exported is a histogram as it stands in results.
type Exported struct {
	Key
	Count     int64      `json:"count"`
	MinMicros int64      `json:"minMicros"`
	MaxMicros int64      `json:"maxMicros"`
	SumMicros int64      `json:"sumMicros"`
	Buckets   [][2]int64 `json:"buckets"`
}

// Export gives all histograms, ordered by metric, arm and phase.
func (s *Set) Export() []Exported {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	list := make([]Exported, 0, len(s.all))
	for key, h := range s.all {
		list = append(list, Exported{
			Key: key, Count: h.Count, MinMicros: h.Min, MaxMicros: h.Max, SumMicros: h.Sum, Buckets: h.Buckets(),
		})
	}
	slices.SortFunc(list, func(a, b Exported) int {
		return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Arm, b.Arm), cmp.Compare(a.Phase, b.Phase))
	})
	return list
}
