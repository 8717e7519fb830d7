package arrivals

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
)

// users are the virtual users of one scenario. Each is a JavaScript runtime of half a megabyte or more, so there are
// only the busy ones and a free reserve: when one becomes busy, another is made while the reserve serves the next
// arrivals. k6 itself makes one only after it has dropped an arrival. Its executor gets slots instead, as many as the
// scenario allows; nearly all are empty and cost almost nothing.
type users struct {
	state  *lib.ExecutionState
	logger *logrus.Entry
	// planned is the number of users made before the scenario begins, and kept free.
	planned int64
	// limit is the maximum number of users.
	limit int64

	begin sync.Once
	// free has the free users.
	free chan lib.ActiveVU
	// failed has the error of making a user.
	failed chan error
	// wanted is signalled when a user was taken.
	wanted chan struct{}
	away   sync.WaitGroup
}

func newUsers(state *lib.ExecutionState, logger *logrus.Entry, planned, limit int64) *users {
	return &users{
		state: state, logger: logger, planned: planned, limit: limit,
		free: make(chan lib.ActiveVU, limit), failed: make(chan error), wanted: make(chan struct{}, 1),
	}
}

// open makes the planned users and keeps the reserve until the scenario ends.
func (u *users) open(params *lib.VUActivationParams) {
	own := *params
	own.DeactivateCallback = func(user lib.InitializedVU) {
		u.state.ReturnVU(user, false)
		u.away.Done()
	}
	u.away.Add(1)
	go func() {
		defer u.away.Done()
		made := int64(0)
		join := func(user lib.InitializedVU, err error) bool {
			if err != nil {
				u.fail(own.RunContext, err)
				return false
			}
			made++
			u.away.Add(1)
			u.free <- user.Activate(&own)
			return true
		}
		for made < u.planned && join(u.state.GetPlannedVU(u.logger, false)) {
		}
		for made < u.limit && u.isShort(own.RunContext) {
			join(u.state.GetUnplannedVU(own.RunContext, u.logger))
		}
	}()
}

// isShort waits until fewer users are free than planned. It returns false when the scenario ends.
func (u *users) isShort(ctx context.Context) bool {
	for int64(len(u.free)) >= max(1, u.planned) {
		select {
		case <-u.wanted:
		case <-ctx.Done():
			return false
		}
	}
	return ctx.Err() == nil
}

// fail sends an error to all waiting for a user.
func (u *users) fail(ctx context.Context, err error) {
	select {
	case u.failed <- err:
	case <-ctx.Done():
	}
}

// take returns a free user, and waits for one if needed.
func (u *users) take(ctx context.Context) (lib.ActiveVU, error) {
	defer u.want()
	select {
	case user := <-u.free:
		return user, nil
	default:
	}
	select {
	case user := <-u.free:
		return user, nil
	case err := <-u.failed:
		return nil, err
	case <-ctx.Done():
		return nil, lib.ContextErr(ctx)
	}
}

// want signals that a user was taken.
func (u *users) want() {
	select {
	case u.wanted <- struct{}{}:
	default:
	}
}

// atWork counts the busy virtual users of all scenarios.
var atWork atomic.Int64

// AtWork returns the number of busy virtual users, in all scenarios of this process.
func AtWork() int64 { return atWork.Load() }

// slot replaces a virtual user in k6's executor.
type slot struct {
	users *users
	id    uint64
}

// GetID returns the number of the slot. A virtual user has its own number.
func (s *slot) GetID() uint64 { return s.id }

// Activate activates the slot until the scenario ends.
func (s *slot) Activate(params *lib.VUActivationParams) lib.ActiveVU {
	s.users.begin.Do(func() { s.users.open(params) })
	active := &activeSlot{slot: s, ctx: params.RunContext, busy: make(chan struct{}, 1)}
	context.AfterFunc(params.RunContext, func() {
		active.busy <- struct{}{}
		params.DeactivateCallback(s)
		<-active.busy
	})
	return active
}

// activeSlot is a slot in a running scenario.
type activeSlot struct {
	*slot
	ctx context.Context
	// busy is full while a user works in the slot, or when the slot is returned.
	busy chan struct{}
}

// RunOnce runs one iteration of a virtual user.
func (s *activeSlot) RunOnce() error {
	s.busy <- struct{}{}
	defer func() { <-s.busy }()
	if s.ctx.Err() != nil {
		return lib.ContextErr(s.ctx)
	}
	user, err := s.users.take(s.ctx)
	if err != nil {
		return err
	}
	state := s.users.state
	atWork.Add(1)
	state.ModCurrentlyActiveVUsCount(+1)
	defer func() {
		state.ModCurrentlyActiveVUsCount(-1)
		atWork.Add(-1)
		s.users.free <- user
	}()
	if err := user.RunOnce(); err != nil {
		return err
	}
	state.AddFullIterations(1)
	return nil
}
