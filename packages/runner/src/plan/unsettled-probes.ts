import type { MetState } from "./met-state.ts";
import type { Probe } from "./probe.ts";
import { isOfFoundFile, plainlyFinding } from "./stream-probes.ts";

/** A probe that was sent, and what its answer tells of the state that it met; nothing of an answer that tells of none. */
export interface SentProbe {
  readonly probe: Probe;
  readonly met?: MetState;
}

/** Searches that are compared with each other, by how their ids begin. */
const families: readonly (readonly [string, RegExp])[] = [
  ["plain", /^(?:search|cut-off|cut-off-later|not-cut-off|parameter-.*)$/u],
  ["all-paths", /^all-paths/u],
  ["pivot", /^pivot/u],
  ["dotted", /^(?:dotted|filter)/u],
  ["swapped", /^swapped/u],
];

/** Marks the id of a probe that is sent once more, with which time it is. */
const timeSuffix = /-time-\d+$/u;

const firstId = ({ id }: Probe): string => id.replace(timeSuffix, "");

const familyOf = (probe: Probe): string | undefined => families.find(([, ids]) => ids.test(firstId(probe)))?.[0];

/** Whether what a probe finds is compared with what others find. */
export const isCompared = (probe: Probe): boolean => familyOf(probe) !== undefined;

const sameSearch = ({ probe }: SentProbe): string => JSON.stringify(Object.entries(probe.parameters));

function groupsOf(
  sent: readonly SentProbe[],
  keyOf: (one: SentProbe) => string | undefined,
): ReadonlyMap<string, readonly SentProbe[]> {
  const groups = new Map<string, readonly SentProbe[]>();
  for (const one of sent) {
    const key = keyOf(one);
    if (key !== undefined) {
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
  }
  return groups;
}

const isDifferent = (values: readonly string[]): boolean => new Set(values).size > 1;

/** Whether the answers name several commits of a repository, or those to equal searches are about other files. */
function hasMoved(sent: readonly SentProbe[]): boolean {
  const commits = sent.flatMap(({ met }) => [...(met?.commits ?? [])]);
  const repositories = new Set(commits.map(([repository]) => repository));
  const filesOf = (copies: readonly SentProbe[]): readonly string[] => copies.flatMap(({ met }) => met?.files ?? []);
  // Where no commits are told, asking again could not show that two searches met the same state.
  return (
    commits.length > 0 &&
    ([...repositories].some((one) =>
      isDifferent(commits.flatMap(([repository, commit]) => (repository === one ? [commit] : []))),
    ) ||
      [...groupsOf(sent, sameSearch).values()].some((copies) => isDifferent(filesOf(copies))))
  );
}

const isIncomplete = ({ met }: SentProbe): boolean => met?.isIncomplete === true;

/** Whether asking again may show something that these answers, and those to the same searches before, do not. */
const isUnsettled = (sent: readonly SentProbe[], before: readonly SentProbe[]): boolean =>
  hasMoved(sent) ||
  // Who is incomplete in everything, and again in everything, is so always.
  (sent.some(isIncomplete) && !(sent.every(isIncomplete) && before.length > 0 && before.every(isIncomplete)));

const hasFound = ({ met }: SentProbe): boolean => met?.isEmpty === false;

/** Searches that found nothing where they had to find what others of their family found: one time may be that of a replica. */
const emptiedAmong = (family: readonly SentProbe[]): readonly SentProbe[] =>
  family.filter(
    ({ probe, met }) =>
      met?.isEmpty === true &&
      (plainlyFinding(firstId(probe)) || isOfFoundFile(firstId(probe))) &&
      family.some(hasFound),
  );

/**
 * Of the searches of one pass, in the order of sending, those that are to be asked once more because it is not known that they met
 * one state of the index, because they were incomplete, or because they found nothing the first time. `before` is the pass before,
 * `time` the number of this pass. Looks at facts of the answers, and decides nothing else.
 */
export function unsettledProbes(
  sent: readonly SentProbe[],
  before: readonly SentProbe[],
  time: number,
): readonly Probe[] {
  const earlier = groupsOf(before, ({ probe }) => familyOf(probe));
  return [...groupsOf(sent, ({ probe }) => familyOf(probe))].flatMap(([name, family]) => {
    const isFirstPass = before.length === 0;
    const again = isUnsettled(family, earlier.get(name) ?? []) ? family : isFirstPass ? emptiedAmong(family) : [];
    return again.map(({ probe }) => ({
      ...probe,
      id: `${firstId(probe)}-time-${time}`,
      title: `${probe.title.replace(/, time \d+$/u, "")}, time ${time}`,
    }));
  });
}
