import { member } from "@assay/reading";
import { replaceValue } from "@assay/evidence";
import { elements, eventSites, siteMutation } from "./mutation.ts";
import type { Mutation, MutationsByRule, Site } from "./mutation.ts";
import type { ProofEvidence } from "./proof-evidence.ts";

/** A mutation that sends a new value. */
const newValue = (
  key: string,
  effect: string,
  sites: (evidence: ProofEvidence) => Iterable<Site>,
): readonly Mutation[] => [
  siteMutation(
    {
      name: `sends a new ${key}`,
      needs: `a search that sends ${effect}`,
      effect: `sent a ${key} that is new in ${effect}`,
      splice: ({ json, pointer }) => replaceValue(json, `${pointer}/${key}`, "never-seen-before"),
    },
    sites,
  ),
];

const skipped = eventSites("progress", (value) => elements(member(value, "skipped"), "/skipped"));

/** Mutations for the rules about values of open sets. */
export const observed = {
  "stream/filter-kind-is-known": newValue(
    "kind",
    "filters",
    eventSites("filters", (value) => elements(value)),
  ),
  "stream/skipped-reason-is-known": newValue("reason", "skipped entries", skipped),
  "stream/skipped-severity-is-known": newValue("severity", "skipped entries", skipped),
} as const satisfies MutationsByRule;
