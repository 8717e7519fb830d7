import { listFaults } from "@assay/reference-server";
import type { ListedRule } from "@assay/report";

/** The faults of the reference server in the shape of a list: id, the rule it attacks, what it does. */
export const faultList = (): readonly ListedRule[] =>
  listFaults().map(({ id, attacks, title }) => ({ id, basis: attacks ?? "none", title }));
