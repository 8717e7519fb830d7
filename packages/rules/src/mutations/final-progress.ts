import { member } from "@assay/reading";
import { replaceValue } from "@assay/evidence";
import { siteMutation } from "./mutation.ts";
import type { Mutation, Site } from "./mutation.ts";
import type { EditableEvent, ProofEvidence, EditableSearch } from "./proof-evidence.ts";

/** Reports whether an event is a `progress` event with `done: true`. */
export const isFinalProgress = ({ event }: EditableEvent): boolean =>
  event.name === "progress" && member(event.value, "done") === true;

/** Returns the final `progress` event of a search. */
export const findFinalProgress = (search: EditableSearch): EditableEvent | undefined =>
  search.events().findLast(isFinalProgress);

/** Yields one site for the final `progress` event of each search. */
export function* finalProgressSites({ searches }: ProofEvidence): Iterable<Site> {
  for (const search of searches) {
    const last = findFinalProgress(search);
    if (last !== undefined) {
      yield { exchange: search.exchange, json: last.data, pointer: "", value: last.event.value };
    }
  }
}

/** Selects the final `progress` events of searches with matches, or of those without. */
export const finalProgressSitesWhere = (hasMatches: boolean) =>
  function* sites(evidence: ProofEvidence): Iterable<Site> {
    for (const site of finalProgressSites(evidence)) {
      const count = member(site.value, "matchCount");
      if ((typeof count === "number" && count > 0) === hasMatches) {
        yield site;
      }
    }
  };

/** Creates a mutation that changes a number in a `progress` event. */
export const numberMutation = (
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  [key, value]: readonly [key: string, value: (before: number) => number],
  sites: (evidence: ProofEvidence) => Iterable<Site>,
): Mutation =>
  siteMutation(
    {
      ...mutation,
      splice: ({ json, value: progress }) => replaceValue(json, `/${key}`, value(Number(member(progress, key)))),
    },
    sites,
  );
