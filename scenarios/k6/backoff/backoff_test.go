package backoff

import (
	"testing"
	"time"
)

const s = time.Second

func TestPausesDoubleUpToHalfAMinute(t *testing.T) {
	var g Guard
	now := time.Duration(0)
	for _, want := range []time.Duration{1 * s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s} {
		g.Distress(now, 0)
		if got := g.Remaining(now); got != want {
			t.Errorf("at %v it holds for %v, not %v", now, got, want)
		}
		now += want
		if g.Remaining(now) != 0 {
			t.Errorf("at %v it still holds", now)
		}
	}
}

func TestOneMomentIsOneDistress(t *testing.T) {
	var g Guard
	for n := range 10 {
		g.Distress(time.Duration(n)*time.Millisecond, -1)
	}
	if got := g.Remaining(9 * time.Millisecond); got != s {
		t.Errorf("it holds for %v", got)
	}
}

func TestTheWishOfATargetCountsUpToAMinute(t *testing.T) {
	for requested, want := range map[time.Duration]time.Duration{5 * s: 5 * s, 600 * s: 60 * s, s / 10: s / 10, -1: s, 0: s} {
		var g Guard
		g.Distress(0, requested)
		if got := g.Remaining(0); got != want {
			t.Errorf("a wish of %v: %v", requested, got)
		}
	}
	var g Guard
	g.Distress(0, 20*s)
	g.Distress(s, 5*s)
	if got := g.Remaining(s); got != 19*s {
		t.Errorf("a later, shorter wish leaves %v", got)
	}
}

func TestOnlyASuccessSentAfterThePauseEndsIt(t *testing.T) {
	var g Guard
	g.Distress(10*s, 0)
	g.Succeeded(10*s - 1)
	if g.Remaining(10*s) != s {
		t.Error("a success of before ended the pause")
	}
	g.Distress(12*s, 0)
	if g.Remaining(12*s) != 2*s {
		t.Error("a success of before made the pause short again")
	}
	g.Succeeded(14 * s)
	g.Distress(15*s, 0)
	if g.Remaining(15*s) != s {
		t.Error("a success after the pause did not end the distress")
	}
}

func TestMoreThanHalfOfFortyFailuresAreDistress(t *testing.T) {
	var g Guard
	for range 20 {
		g.Succeeded(s)
	}
	for range 20 {
		g.Failed(s)
	}
	if g.Remaining(s) != 0 {
		t.Error("half of forty is distress")
	}
	g.Failed(s)
	if g.Remaining(s) == 0 {
		t.Error("more than half of forty must not count as distress")
	}
	var lone Guard
	for range 20 {
		lone.Failed(s)
	}
	if lone.Remaining(s) != 0 {
		t.Error("twenty failures alone are distress")
	}
	lone.Failed(s)
	if lone.Remaining(s) != s {
		t.Error("twenty-one failures are no distress")
	}
	for range 60 {
		lone.Succeeded(10 * s)
	}
	lone.Failed(10 * s)
	if lone.Remaining(10*s) != 0 {
		t.Error("old failures still count")
	}
}

func TestDistressOfAnotherProcessPausesAndIsNoFailureOfThisOne(t *testing.T) {
	const s = time.Second
	var g Guard
	for range 40 {
		g.Heard(s, 5*s)
	}
	if g.Remaining(s) != 5*s {
		t.Errorf("the pause is %v", g.Remaining(s))
	}
	g.Failed(10 * s)
	if g.Remaining(10*s) != 0 {
		t.Error("what was heard counts as a failure")
	}
}
