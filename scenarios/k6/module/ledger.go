package module

import (
	"errors"
	"time"

	"assay/k6/ledger"

	"github.com/grafana/sobek"
)

// credentialNames lists the names that an entry may contain, the same as in packages/evidence. An entry with any other
// name would be unreadable, and its conversation would never be removed.
var credentialNames = []string{
	"access-token", "oauth-token", "other-token", "read-token", "quota-token", "entitlement-token", "unscoped-token",
	"unscoped-oauth-token", "write-token", "access-token-as-bearer", "invalid-token", "invalid-oauth-token", "other-scheme", "none", "unknown",
}

// intend records a creation before its request and returns its key. It throws on failure, because then nothing may be
// created.
func (i *instance) intend(creation sobek.Value) string {
	a := newArguments(i.vu.Runtime(), creation, "creation", []string{"marker", "interface", "credential"})
	conversation := ledger.Creation{
		Marker:     a.text("marker"),
		Interface:  a.choice("interface", "legacy", "current"),
		Credential: a.choice("credential", credentialNames...),
	}
	if a.err != nil {
		i.throw("intend", a.err.Error())
	}
	key, err := i.run.ledger.RecordIntent(conversation, time.Now())
	if err != nil {
		if !errors.Is(err, ledger.ErrMarker) {
			i.abort(err.Error())
		}
		i.throw("intend", err.Error())
	}
	return key
}

func (i *instance) made(key, id string) { i.abortOnError(i.run.ledger.RecordCreated(key, id)) }

func (i *instance) nothing(key string) { i.abortOnError(i.run.ledger.RecordNotCreated(key)) }

func (i *instance) deleted(key string) { i.abortOnError(i.run.ledger.RecordDeleted(key)) }

func (i *instance) abortOnError(err error) {
	if err != nil {
		i.abort(err.Error())
	}
}
