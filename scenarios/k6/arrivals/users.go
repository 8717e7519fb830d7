package arrivals

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
)

// users are the virtual users of one scenario. Each is a JavaScript runtime, which takes half a megabyte or more, so there are as
// many as are at work, and a reserve that is free: whenever one begins to work another is made, while the reserve is there for the
// arrivals that come meanwhile. k6 itself makes one when it has left an arrival out already. What its executor is given in
// their place are seats, as many as the scenario allows; nearly all of them are empty, and cost next to nothing.
type users struct {
	state  *lib.ExecutionState
	logger *logrus.Entry
	// planned are ready before the scenario begins; so many are kept free.
	planned int64
	// limit is how many there may be.
	limit int64

	begin sync.Once
	// free are those that can work at once.
	free chan lib.ActiveVU
	// failed is why none could be made.
	failed chan error
	// wanted is told when somebody was taken.
	wanted chan struct{}
	away   sync.WaitGroup
}

func newUsers(state *lib.ExecutionState, logger *logrus.Entry, planned, limit int64) *users {
	return &users{
		state: state, logger: logger, planned: planned, limit: limit,
		free: make(chan lib.ActiveVU, limit), failed: make(chan error), wanted: make(chan struct{}, 1),
	}
}

// open begins with those that are ready, and sees to the reserve until the scenario is over.
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

// isShort waits until fewer are free than there should be; false when the scenario is over.
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

// fail tells whoever waits for a user why there is none.
func (u *users) fail(ctx context.Context, err error) {
	select {
	case u.failed <- err:
	case <-ctx.Done():
	}
}

// take gives one that is free, and waits where there is none.
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

// want says that fewer are free than before.
func (u *users) want() {
	select {
	case u.wanted <- struct{}{}:
	default:
	}
}

// atWork counts the virtual users of all scenarios that work.
var atWork atomic.Int64

// AtWork is how many virtual users work, in all scenarios of this process.
func AtWork() int64 { return atWork.Load() }

// seat stands for a virtual user towards the executor of k6.
type seat struct {
	users *users
	id    uint64
}

// GetID is the number of the seat; a virtual user has one of its own.
func (s *seat) GetID() uint64 { return s.id }

// Activate takes part in a scenario until it is over.
func (s *seat) Activate(params *lib.VUActivationParams) lib.ActiveVU {
	s.users.begin.Do(func() { s.users.open(params) })
	active := &activeSeat{seat: s, ctx: params.RunContext, busy: make(chan struct{}, 1)}
	context.AfterFunc(params.RunContext, func() {
		active.busy <- struct{}{}
		params.DeactivateCallback(s)
		<-active.busy
	})
	return active
}

// activeSeat is a seat in a scenario that runs.
type activeSeat struct {
	*seat
	ctx context.Context
	// busy is full while somebody works in it, or it is given back.
	busy chan struct{}
}

// RunOnce lets a virtual user work once.
func (s *activeSeat) RunOnce() error {
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
