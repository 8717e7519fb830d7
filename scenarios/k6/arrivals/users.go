package arrivals

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
)

// users are the virtual users of one scenario. Each is a JavaScript runtime of half a megabyte or more. Therefore only
// the busy ones and a free reserve exist: when one becomes busy, another is created while the reserve serves the next
// arrivals. k6 itself creates one only after it has dropped an arrival. Its executor gets as many slots as the scenario
// allows. An empty slot costs almost nothing.
type users struct {
	state  *lib.ExecutionState
	logger *logrus.Entry
	// planned is the number of users created before the scenario begins, and kept free.
	planned int64
	// limit is the maximum number of users.
	limit int64

	once sync.Once
	// free holds the free users.
	free chan lib.ActiveVU
	// errors receives the error if a user cannot be created.
	errors chan error
	// takenSignal is signalled when a user was taken.
	takenSignal chan struct{}
	outstanding sync.WaitGroup
}

func newUsers(state *lib.ExecutionState, logger *logrus.Entry, planned, limit int64) *users {
	return &users{
		state: state, logger: logger, planned: planned, limit: limit,
		free: make(chan lib.ActiveVU, limit), errors: make(chan error), takenSignal: make(chan struct{}, 1),
	}
}

// start creates the planned users and maintains the reserve until the scenario ends.
func (u *users) start(params *lib.VUActivationParams) {
	userParams := *params
	userParams.DeactivateCallback = func(user lib.InitializedVU) {
		u.state.ReturnVU(user, false)
		u.outstanding.Done()
	}
	u.outstanding.Add(1)
	go func() {
		defer u.outstanding.Done()
		created := int64(0)
		addUser := func(user lib.InitializedVU, err error) bool {
			if err != nil {
				u.sendError(userParams.RunContext, err)
				return false
			}
			created++
			u.outstanding.Add(1)
			u.free <- user.Activate(&userParams)
			return true
		}
		for created < u.planned && addUser(u.state.GetPlannedVU(u.logger, false)) {
		}
		for created < u.limit && u.waitForShortage(userParams.RunContext) {
			addUser(u.state.GetUnplannedVU(userParams.RunContext, u.logger))
		}
	}()
}

// waitForShortage waits until fewer users are free than planned. It returns false when the scenario ends.
func (u *users) waitForShortage(ctx context.Context) bool {
	for int64(len(u.free)) >= max(1, u.planned) {
		select {
		case <-u.takenSignal:
		case <-ctx.Done():
			return false
		}
	}
	return ctx.Err() == nil
}

// sendError sends an error to a caller that waits for a user.
func (u *users) sendError(ctx context.Context, err error) {
	select {
	case u.errors <- err:
	case <-ctx.Done():
	}
}

// acquire returns a free user. It waits for one if needed.
func (u *users) acquire(ctx context.Context) (lib.ActiveVU, error) {
	defer u.signalTaken()
	select {
	case user := <-u.free:
		return user, nil
	default:
	}
	select {
	case user := <-u.free:
		return user, nil
	case err := <-u.errors:
		return nil, err
	case <-ctx.Done():
		return nil, lib.ContextErr(ctx)
	}
}

// signalTaken signals that a user was taken.
func (u *users) signalTaken() {
	select {
	case u.takenSignal <- struct{}{}:
	default:
	}
}

// busyUsers counts the busy virtual users of all scenarios.
var busyUsers atomic.Int64

// BusyUsers returns the number of busy virtual users in all scenarios of this process.
func BusyUsers() int64 { return busyUsers.Load() }

// slot replaces a virtual user in k6's executor.
type slot struct {
	users *users
	id    uint64
}

// GetID returns the number of the slot. A virtual user has its own number.
func (s *slot) GetID() uint64 { return s.id }

// Activate activates the slot until the scenario ends.
func (s *slot) Activate(params *lib.VUActivationParams) lib.ActiveVU {
	s.users.once.Do(func() { s.users.start(params) })
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
	user, err := s.users.acquire(s.ctx)
	if err != nil {
		return err
	}
	state := s.users.state
	busyUsers.Add(1)
	state.ModCurrentlyActiveVUsCount(+1)
	defer func() {
		state.ModCurrentlyActiveVUsCount(-1)
		busyUsers.Add(-1)
		s.users.free <- user
	}()
	if err := user.RunOnce(); err != nil {
		return err
	}
	state.AddFullIterations(1)
	return nil
}
