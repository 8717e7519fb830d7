package module

import "github.com/grafana/sobek"

func (i *instance) outcomes() sobek.Value { return i.plain(i.run.copyCounts(i.run.outcomes)) }

func (i *instance) violations() sobek.Value { return i.plain(i.run.copyCounts(i.run.violations)) }

func (i *instance) observations() sobek.Value { return i.plain(i.run.copyCounts(i.run.observations)) }

func (i *instance) generator() sobek.Value { return i.plain(i.run.generator.Facts()) }
