import { ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { purposesOf } from "./probe.ts";

/** Chooses rules and says which of them must have been observed for a run to be green. */
export interface Profile {
  readonly name: ProfileName;
  /** One sentence for `--help` and `assay list`. */
  readonly purpose: string;
  readonly rules: readonly RuleId[];
  readonly mustObserve: readonly RuleId[];
}

export const profileNames = ["smoke", "gate", "release"] as const;
export type ProfileName = (typeof profileNames)[number];

/** What every answered search shows: the form of the stream and its end. */
const form: readonly RuleId[] = [
  "stream/two-fields",
  "stream/lines-end-with-lf",
  "stream/one-blank-line-between-events",
  "stream/last-event-is-complete",
  "stream/no-byte-order-mark",
  "stream/text-is-utf-8",
  "stream/data-is-json",
  "stream/done-is-last",
  "stream/done-is-an-empty-object",
];

/** What every search that finds something shows besides. */
const results: readonly RuleId[] = [
  "stream/matches-is-an-array",
  "stream/match-type-is-listed",
  "stream/content-match-fits-schema",
  "stream/progress-fits-schema",
  "stream/final-progress-before-done",
  "stream/progress-stays-final",
  "stream/one-final-progress",
  "stream/final-progress-counts-repositories",
];

/** What parameters and filters do; shown where the plain search finds a file that can be searched again. */
const behaviour: readonly RuleId[] = [
  "stream/documented-parameters-are-accepted",
  "stream/display-bounds-matches",
  "stream/display-keeps-counting",
  "stream/no-display-no-limit",
  "stream/count-stops-search",
  "stream/count-all-finds-everything",
  "stream/cut-results-are-named",
  "stream/cm-enables-chunk-matches",
  "stream/chunk-matches-need-cm",
  "stream/chunk-match-has-context",
  "stream/chunk-lines-are-whole",
  "stream/max-line-len-cuts-lines",
  "stream/cl-gives-context-lines",
  "stream/cl-needs-cm",
  "stream/omitted-v-is-v3",
  "stream/omitted-t-is-standard",
  "stream/pattern-type-filter-wins",
];

/** Answered by what every run sends first. */
const needsNoMore = (id: RuleId): boolean =>
  id === "stream/access-token-is-accepted" || purposesOf(id).every((purpose) => purpose === "stream");

const profiles: Readonly<Record<ProfileName, Omit<Profile, "name">>> = {
  smoke: {
    purpose: "is it up and is it the API: a few searches, the form of their streams and payloads",
    rules: ruleIds.filter(needsNoMore),
    mustObserve: [...form, "stream/progress-fits-schema", "stream/final-progress-before-done"],
  },
  gate: {
    purpose: "the default: every rule; what every search that finds something shows must have been seen",
    rules: ruleIds,
    mustObserve: [...form, ...results],
  },
  release: {
    purpose: "every rule; parameters, filters and limits must have been seen too",
    rules: ruleIds,
    mustObserve: [
      ...form,
      ...results,
      "stream/filters-fit-schema",
      "stream/skipped-fits-schema",
      "stream/alert-is-an-object",
      "stream/problem-has-alert",
      ...behaviour,
    ],
  },
};

/** A profile by name. */
export const profileNamed = (name: ProfileName): Profile => ({ name, ...profiles[name] });

/** Whether a word is the name of a profile. */
export const isProfileName = (word: string): word is ProfileName => (profileNames as readonly string[]).includes(word);
