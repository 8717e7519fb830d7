package histogram

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// documented is the rule as results document it.
func documented(v int64) int {
	if v < 256 {
		return int(v)
	}
	e := int(math.Floor(math.Log2(float64(v)))) - 7
	return 128*e + int(v>>e)
}

func TestBucketsAreTheDocumentedOnes(t *testing.T) {
	values := []int64{0, 1, 127, 128, 255, 256, 257, 511, 512, 513, 1 << 20, 1<<20 - 1, 1 << 40}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		values = append(values, random.Int64N(1<<random.IntN(41)+1))
	}
	for _, v := range values {
		bucket := Bucket(v)
		if bucket != documented(v) {
			t.Fatalf("%d is in bucket %d, not %d", v, bucket, documented(v))
		}
		low, high := lowerBound(bucket), lowerBound(bucket+1)
		if v < low || v >= high || float64(high-low) > max(1, 0.008*float64(low)) {
			t.Fatalf("%d is in bucket %d from %d to %d", v, bucket, low, high)
		}
	}
	if Bucket(-5) != 0 {
		t.Error("a negative value has a bucket of its own")
	}
}

func TestBucketsFollowEachOther(t *testing.T) {
	for v := int64(0); v < 100_000; v++ {
		if step := Bucket(v+1) - Bucket(v); step != 0 && step != 1 {
			t.Fatalf("from %d the buckets jump by %d", v, step)
		}
	}
}

func TestQuantilesAreWithinABucket(t *testing.T) {
	var h Histogram
	if h.Quantile(0.5) != 0 {
		t.Error("an empty histogram has values")
	}
	random := rand.New(rand.NewPCG(3, 4))
	var values []int64
	for range 10_001 {
		v := int64(math.Exp(random.NormFloat64()*2 + 9))
		values = append(values, v)
		h.Add(v)
	}
	slices.Sort(values)
	for _, share := range []float64{0, 0.5, 0.95, 0.99, 1} {
		want := values[max(0, int(math.Ceil(share*10_001))-1)]
		if got := h.Quantile(share); got > want || float64(want-got) > 1+0.008*float64(want) {
			t.Errorf("share %v: %d, not %d", share, got, want)
		}
	}
	if h.Max != values[10_000] || h.Count != 10_001 {
		t.Errorf("%+v", h)
	}
}
