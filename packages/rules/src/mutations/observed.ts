import { member } from "@assay/reading";
import { replaceValue } from "@assay/evidence";
import { elementsWithPointers, eventSites, siteMutation } from "./mutation.ts";
import type { Mutation, MutationsByRule, Site } from "./mutation.ts";
import type { ProofEvidence } from "./proof-evidence.ts";

/** Returns the mutations that send a new value of a member. */
const newValueMutations = (
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

const skippedEntrySites = eventSites("progress", (value) => elementsWithPointers(member(value, "skipped"), "/skipped"));

/** Mutations for the rules about values of open sets. */
export const openSetMutations = {
  "stream/filter-kind-is-known": newValueMutations(
    "kind",
    "filters",
    eventSites("filters", (value) => elementsWithPointers(value)),
  ),
  "stream/skipped-reason-is-known": newValueMutations("reason", "skipped entries", skippedEntrySites),
  "stream/skipped-severity-is-known": newValueMutations("severity", "skipped entries", skippedEntrySites),
} as const satisfies MutationsByRule;
