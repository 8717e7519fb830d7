import { isStreamRuleId, ruleIds } from "@assay/contract";
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

/** What one conversation that was asked and answered shows of both interfaces of the conversation API. */
const conversation: readonly RuleId[] = [
  "legacy/create-is-accepted",
  "legacy/get-returns-the-conversation",
  "legacy/success-status-is-listed",
  "legacy/conversation-fits-schema",
  "legacy/question-fits-schema",
  "legacy/timestamps-are-utc",
  "legacy/status-is-listed",
  "legacy/created-in-progress",
  "legacy/completed-question-is-filled",
  "legacy/status-transitions-are-listed",
  "legacy/ids-are-stable",
  "legacy/delete-is-accepted",
  "current/create-is-accepted",
  "current/get-returns-the-conversation",
  "current/conversation-fits-schema",
  "current/name-is-a-resource-name",
  "current/state-has-one-key",
  "current/state-is-listed",
  "current/created-in-progress",
  "current/completed-has-an-answer",
  "current/state-transitions-are-listed",
  "current/name-is-stable",
  "current/delete-is-accepted",
];

/** What several conversations, lists and credentials show. */
const conversations: readonly RuleId[] = [
  "legacy/no-answer-while-processing",
  "legacy/stats-are-zero-while-processing",
  "legacy/follow-up-is-accepted",
  "legacy/follow-up-id-must-match",
  "legacy/cancel-is-accepted",
  "legacy/list-parameters-are-accepted",
  "legacy/access-token-is-accepted",
  "legacy/missing-token-is-refused",
  "legacy/unknown-id-is-not-found",
  "legacy/bad-request-is-refused",
  "legacy/questions-keep-their-order",
  "legacy/responses-fit-openapi",
  "current/no-answer-while-processing",
  "current/follow-up-is-accepted",
  "current/cancel-is-accepted",
  "current/list-is-accepted",
  "current/access-token-is-accepted",
  "current/missing-token-is-refused",
  "current/needs-no-x-requested-with",
  "current/questions-keep-their-order",
  "current/responses-fit-openapi",
  "migration/questions-agree",
  "migration/answers-agree",
  "migration/state-follows-status",
];

/** Answered by what every run sends first. */
const needsNoMore = (id: RuleId): boolean =>
  id === "stream/access-token-is-accepted" ||
  conversation.includes(id) ||
  (isStreamRuleId(id) && purposesOf(id).every((purpose) => purpose === "stream"));

const profiles: Readonly<Record<ProfileName, Omit<Profile, "name">>> = {
  smoke: {
    purpose: "is it up and is it the API: a few searches and one conversation of each interface, and their form",
    rules: ruleIds.filter(needsNoMore),
    mustObserve: [...form, "stream/progress-fits-schema", "stream/final-progress-before-done", ...conversation],
  },
  gate: {
    purpose:
      "the default: every rule; what searches that find something and answered questions show must have been seen",
    rules: ruleIds,
    mustObserve: [...form, ...results, ...conversation],
  },
  release: {
    purpose: "every rule; parameters, filters, limits, lists, follow-ups and cancellations must have been seen too",
    rules: ruleIds,
    mustObserve: [
      ...form,
      ...results,
      "stream/filters-fit-schema",
      "stream/skipped-fits-schema",
      "stream/alert-is-an-object",
      "stream/problem-has-alert",
      ...behaviour,
      ...conversation,
      ...conversations,
    ],
  },
};

/** A profile by name. */
export const profileNamed = (name: ProfileName): Profile => ({ name, ...profiles[name] });

/** Whether a word is the name of a profile. */
export const isProfileName = (word: string): word is ProfileName => (profileNames as readonly string[]).includes(word);
