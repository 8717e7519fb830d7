import { allRequirements } from "@assay/contract";
import type { RuleRecord } from "@assay/contract";
import { listFaults } from "@assay/reference-server";
import type { CataloguedRule } from "@assay/report";
import { getProfile, profileNames } from "@assay/runner";

const profiles = profileNames.map((name) => getProfile(name));

/** Describes a rule with its requirements and the faults that make it fail. */
export const describeRule = ({
  id,
  basis,
  title,
  interface: ruleInterface,
  operation,
  requirements,
}: RuleRecord): CataloguedRule => ({
  id,
  basis,
  title,
  interface: ruleInterface,
  operation,
  requirements: allRequirements.filter((requirement) => requirements.includes(requirement.id)),
  mustTestIn: profiles.filter(({ mustTest }) => mustTest.some((rule) => rule === id)).map((profile) => profile.name),
  faults: listFaults()
    .filter(({ attacks }) => attacks === id)
    .map((fault) => fault.id),
});
