import { allRequirements } from "@assay/contract";
import type { RuleRecord } from "@assay/contract";
import { listFaults } from "@assay/reference-server";
import type { CataloguedRule } from "@assay/report";
import { profileNamed, profileNames } from "@assay/runner";

const profiles = profileNames.map((name) => profileNamed(name));

/** A rule with its requirements and the faults that make it fail. */
export const cataloguedRule = ({
  id,
  basis,
  title,
  interface: name,
  operation,
  requirements,
}: RuleRecord): CataloguedRule => ({
  id,
  basis,
  title,
  interface: name,
  operation,
  requirements: allRequirements.filter((sentence) => requirements.includes(sentence.id)),
  mustTestIn: profiles.filter(({ mustTest }) => mustTest.some((rule) => rule === id)).map(({ name: n }) => n),
  faults: listFaults()
    .filter(({ attacks }) => attacks === id)
    .map((fault) => fault.id),
});
