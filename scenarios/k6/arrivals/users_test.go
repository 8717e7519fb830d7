package arrivals

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
)

// worker is a virtual user that works until its context ends.
type worker struct {
	stop <-chan struct{}
	// back counts how many have gone back.
	back *atomic.Int64
}

func (w *worker) GetID() uint64 { return 1 }

func (w *worker) Activate(params *lib.VUActivationParams) lib.ActiveVU {
	context.AfterFunc(params.RunContext, func() {
		w.back.Add(1)
		params.DeactivateCallback(w)
	})
	return w
}

func (w *worker) RunOnce() error {
	<-w.stop
	return nil
}

// scenario is one with slots for a number of virtual users, of which some are ready.
type scenario struct {
	users      *users
	state      *lib.ExecutionState
	slots      []lib.ActiveVU
	working    sync.WaitGroup
	stop       chan struct{}
	end        context.CancelFunc
	back, left atomic.Int64
}

func newScenario(t *testing.T, ready, limit int64, failure error) *scenario {
	t.Helper()
	tuple, err := lib.NewExecutionTuple(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &scenario{state: lib.NewExecutionState(nil, tuple, uint64(ready), uint64(limit)), stop: make(chan struct{})}
	newWorker := func() lib.InitializedVU { return &worker{stop: s.stop, back: &s.back} }
	for range ready {
		s.state.AddInitializedVU(newWorker())
	}
	s.state.SetInitVUFunc(func(context.Context, *logrus.Entry) (lib.InitializedVU, error) { return newWorker(), failure })
	s.users = newUsers(s.state, logrus.NewEntry(logrus.New()), ready, limit)
	ctx, end := context.WithCancel(t.Context())
	s.end = end
	for id := range limit {
		params := &lib.VUActivationParams{RunContext: ctx, DeactivateCallback: func(lib.InitializedVU) { s.left.Add(1) }}
		s.slots = append(s.slots, (&slot{users: s.users, id: uint64(id)}).Activate(params))
	}
	return s
}

// arrive lets these slots begin; what each ends with comes in the channel.
func (s *scenario) arrive(slots []lib.ActiveVU) <-chan error {
	all := make(chan error, len(slots))
	for _, slot := range slots {
		s.working.Go(func() { all <- slot.RunOnce() })
	}
	return all
}

func TestAsManyAreMadeAsAreAtWorkAndAFewMore(t *testing.T) {
	for _, given := range []struct {
		name                        string
		ready, limit, arrive, users int64
	}{
		{"nobody is made before the first arrival", 3, 10, 0, 3},
		{"for each at work one is made", 3, 10, 4, 7},
		{"and never more than there may be", 3, 10, 9, 10},
		{"also where all work", 3, 10, 10, 10},
		{"one at least, where none was to be ready", 0, 10, 2, 3},
	} {
		t.Run(given.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScenario(t, given.ready, given.limit, nil)
				errs := s.arrive(s.slots[:given.arrive])
				synctest.Wait()
				if made := s.state.GetInitializedVUsCount(); made != given.users {
					t.Errorf("there are %d virtual users, not %d", made, given.users)
				}
				if active := s.state.GetCurrentlyActiveVUsCount(); active != given.arrive {
					t.Errorf("%d are at work, not %d", active, given.arrive)
				}
				close(s.stop)
				s.working.Wait()
				s.end()
				s.users.outstanding.Wait()
				synctest.Wait()
				if s.back.Load() != given.users || s.left.Load() != given.limit {
					t.Errorf("%d users and %d slots went back", s.back.Load(), s.left.Load())
				}
				for range given.arrive {
					if err := <-errs; err != nil {
						t.Error(err)
					}
				}
				if done := s.state.GetFullIterationCount(); done != uint64(given.arrive) {
					t.Errorf("%d iterations were counted", done)
				}
			})
		})
	}
}

func TestWhoHasWorkedWorksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScenario(t, 2, 10, nil)
		close(s.stop)
		for range 50 {
			if err := s.slots[0].RunOnce(); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if made := s.state.GetInitializedVUsCount(); made > 3 {
			t.Errorf("%d were made for one at a time", made)
		}
		s.end()
		s.users.outstanding.Wait()
	})
}

func TestAcquireFailsIfAUserCannotBeMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failure := errors.New("the script throws")
		s := newScenario(t, 0, 2, failure)
		if err := <-s.arrive(s.slots[:1]); !errors.Is(err, failure) {
			t.Errorf("the error is %v", err)
		}
		s.end()
		s.users.outstanding.Wait()
	})
}

func TestNobodyWaitsAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScenario(t, 1, 2, context.Canceled)
		errs := s.arrive(s.slots[:2])
		synctest.Wait()
		close(s.stop)
		s.end()
		s.working.Wait()
		s.users.outstanding.Wait()
		first, second := <-errs, <-errs
		if first != nil && second != nil {
			t.Errorf("none has worked: %v, %v", first, second)
		}
		if err := s.slots[0].RunOnce(); err == nil {
			t.Error("somebody worked after the end")
		}
	})
}
