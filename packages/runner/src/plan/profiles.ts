import { ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";

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

/** Needs searches of its own, beyond the ones that any search answers. */
const needsMoreSearches: ReadonlySet<RuleId> = new Set([
  "stream/oauth-token-is-accepted",
  "stream/missing-token-is-refused",
  "stream/invalid-token-is-refused",
  "stream/anonymous-search-is-accepted",
  "stream/documented-parameters-are-accepted",
  "stream/display-bounds-matches",
]);

const profiles: Readonly<Record<ProfileName, Omit<Profile, "name">>> = {
  smoke: {
    purpose: "is it up and is it the API: a few searches, the form of their streams and payloads",
    rules: ruleIds.filter((id) => !needsMoreSearches.has(id)),
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
      "stream/documented-parameters-are-accepted",
      "stream/display-bounds-matches",
    ],
  },
};

/** A profile by name. */
export const profileNamed = (name: ProfileName): Profile => ({ name, ...profiles[name] });

/** Whether a word is the name of a profile. */
export const isProfileName = (word: string): word is ProfileName => (profileNames as readonly string[]).includes(word);
