// Package histogram counts durations in log-linear buckets.
package histogram

import "math/bits"

// Histogram counts whole microseconds. Values below 256 have a bucket each. Above, each power of two has 128 buckets,
// so a bucket is narrower than 0.8 % of its values. The zero value is empty.
type Histogram struct {
	Count int64
	// Max is exact; 0 when empty.
	Max int64
	// counts by bucket.
	counts []int64
}

// linearBits is the number of bits up to which each value has its own bucket.
const linearBits = 8

// Bucket returns the number of the bucket of a value. Negative values are treated as 0.
func Bucket(micros int64) int {
	if micros < 0 {
		return 0
	}
	shift := max(0, bits.Len64(uint64(micros))-linearBits)
	return shift<<(linearBits-1) + int(micros>>shift)
}

// Add counts a value. Negative values are treated as 0.
func (h *Histogram) Add(micros int64) {
	micros = max(0, micros)
	h.Max = max(h.Max, micros)
	h.Count++
	bucket := Bucket(micros)
	if missing := bucket + 1 - len(h.counts); missing > 0 {
		h.counts = append(h.counts, make([]int64, missing)...)
	}
	h.counts[bucket]++
}

// lowerBound returns the smallest value of a bucket.
func lowerBound(bucket int) int64 {
	const perPower = 1 << (linearBits - 1)
	shift := max(0, bucket/perPower-1)
	return int64(bucket-shift*perPower) << shift
}

// Quantile returns the smallest value of the bucket that contains the quantile. It returns 0 if the histogram is empty.
func (h *Histogram) Quantile(share float64) int64 {
	rank := max(1, int64(share*float64(h.Count)+0.999999))
	for bucket, count := range h.counts {
		if rank -= count; rank <= 0 {
			return lowerBound(bucket)
		}
	}
	return 0
}
