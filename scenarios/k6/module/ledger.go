package module

import (
	"errors"
	"time"

	"assay/k6/ledger"

	"github.com/grafana/sobek"
)

// credentials that an entry may name, as packages/evidence lists them: an entry with another word would be read by
// nobody, and what it stands for never be removed.
var credentials = []string{
	"access-token", "oauth-token", "other-token", "read-token", "quota-token", "entitlement-token", "unscoped-token",
	"unscoped-oauth-token", "write-token", "access-token-as-bearer", "invalid-token", "invalid-oauth-token", "other-scheme", "none", "unknown",
}

// intend notes a creation before it is asked for and gives its key. It throws when it cannot be noted: nothing may be
// created then.
func (i *instance) intend(creation sobek.Value) string {
	a := newArguments(i.vu.Runtime(), creation, "creation", []string{"marker", "interface", "credential"})
	intended := ledger.Creation{
		Marker:     a.text("marker"),
		Interface:  a.oneOf("interface", "legacy", "current"),
		Credential: a.oneOf("credential", credentials...),
	}
	if a.err != nil {
		i.throw("intend", a.err.Error())
	}
	key, err := i.run.ledger.Intend(intended, time.Now())
	if err != nil {
		if !errors.Is(err, ledger.ErrMarker) {
			i.abort(err.Error())
		}
		i.throw("intend", err.Error())
	}
	return key
}

func (i *instance) made(key, id string) { i.noted(i.run.ledger.Made(key, id)) }

func (i *instance) nothing(key string) { i.noted(i.run.ledger.Nothing(key)) }

func (i *instance) deleted(key string) { i.noted(i.run.ledger.Deleted(key)) }

func (i *instance) noted(err error) {
	if err != nil {
		i.abort(err.Error())
	}
}
