import { grammarViolations } from "./grammar-codes.ts";
import type { RuleId } from "./rule-catalogue.ts";

/** What a value may not meet of a schema; the argument is the place, such as `/questions` or `/sources/link`, without indices. */
const schemaKeywords = [
  "type",
  "required",
  "enum",
  "const",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "minProperties",
  "maxProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "dependentRequired",
  "discriminator",
  "anyOf",
  "oneOf",
  "not",
  "if",
] as const;

/** How a search differs from one that has to find the same: it finds less, more, or both. */
const otherResults = ["finds-less", "finds-more", "finds-other-things"] as const;

/** A request that had to be accepted or refused and was not; the argument is operation, parameters and status: `list?sort:400`. */
const answers = ["accepted", "refused", "elsewhere"] as const;

/** A change that the table of states does not have. */
const transitions = ["backward-transition", "unlisted-transition", "incomparable-ends"] as const;

/** Questions that are not where they were. */
const order = ["question-lost", "question-reordered", "question-duplicated"] as const;

/** A question that changed, or never was what was asked. */
const asAsked = ["question-text-changed", "not-as-asked"] as const;

/** A value that a closed list does not have; the argument is the value. */
const unlisted = ["unlisted"] as const;

/** A member that is there too early, or not there in time; the argument is the member. */
const gate = ["has", "lacks"] as const;

/** Codes of findings of rules whose findings are of more than one kind; those of the event format have a table of their own. */
const codesOfRules: Readonly<Partial<Record<RuleId, readonly string[]>>> = {
  "stream/matches-is-an-array": ["no-array", "no-object", "no-type"],
  "stream/match-type-is-listed": unlisted,
  "stream/content-match-fits-schema": schemaKeywords,
  "stream/progress-fits-schema": schemaKeywords,
  "stream/skipped-fits-schema": schemaKeywords,
  "stream/filters-fit-schema": schemaKeywords,
  "stream/alert-level-is-listed": ["no-level", ...unlisted],
  "stream/chunk-match-has-context": ["text-elsewhere", "no-text"],
  "stream/final-progress-counts-repositories": ["left-out", "left-out-at-zero"],
  "stream/match-count-fits-matches": ["counts-none", "counts-fewer", "none-came"],
  "stream/results-precede-final-progress": ["late"],
  "stream/response-ends-after-done": ["closed-early", "left-open"],
  "stream/documented-parameters-are-accepted": ["fails-with"],
  "stream/limit-suggestion-raises-count": [
    "no-suggestion",
    "other-suggestion",
    "no-larger-count",
    "larger-count",
    "other-count",
  ],
  "stream/cl-needs-cm": ["unmarked-lines", "chunk-matches", ...otherResults],
  "stream/omitted-v-is-v3": otherResults,
  "stream/omitted-t-is-standard": otherResults,
  "stream/pattern-type-filter-wins": otherResults,
  "legacy/conversation-fits-schema": schemaKeywords,
  "legacy/question-fits-schema": schemaKeywords,
  "legacy/source-fits-schema": schemaKeywords,
  "legacy/turn-fits-schema": schemaKeywords,
  "legacy/stats-are-counts": schemaKeywords,
  "legacy/error-fits-schema": schemaKeywords,
  "legacy/responses-fit-openapi": schemaKeywords,
  "legacy/timestamps-are-utc": ["no-time", "other-zone", "duration"],
  "legacy/status-is-listed": unlisted,
  "legacy/created-in-progress": ["begins-as"],
  "legacy/share-url-holds-read-token": ["no-url", "no-token", "token-not-in-url"],
  "legacy/owner-is-viewer": ["not-taken-for-owner", "taken-for-owner"],
  "legacy/stats-are-zero-while-processing": gate,
  "legacy/followups-null-while-processing": gate,
  "legacy/completed-question-is-filled": gate,
  "legacy/ids-are-stable": ["question-id-changed", "other-conversation"],
  "legacy/question-text-is-kept": asAsked,
  "legacy/status-transitions-are-listed": transitions,
  "legacy/questions-keep-their-order": order,
  "legacy/missing-token-is-refused": answers,
  "legacy/invalid-token-is-refused": answers,
  "legacy/access-token-is-accepted": answers,
  "legacy/create-is-accepted": answers,
  "legacy/get-returns-the-conversation": answers,
  "legacy/follow-up-is-accepted": answers,
  "legacy/follow-up-answers-the-conversation": ["question-alone", "no-conversation", "questions-left-out"],
  "legacy/cancel-is-accepted": answers,
  "legacy/delete-is-accepted": answers,
  "legacy/deleted-is-gone": answers,
  "legacy/other-user-may-not-write": answers,
  "legacy/list-parameters-are-accepted": answers,
  "legacy/any-access-token-is-accepted": answers,
  "legacy/shared-conversation-is-readable": answers,
  "legacy/bad-request-is-refused": answers,
  "legacy/unknown-id-is-not-found": answers,
  "legacy/refusal-has-a-message": answers,
  "legacy/success-status-is-listed": answers,
  "current/conversation-fits-schema": schemaKeywords,
  "current/error-has-its-members": schemaKeywords,
  "current/responses-fit-openapi": schemaKeywords,
  "current/openapi-schema-is-served": ["missing", "no-link", "no-schema"],
  "current/openapi-schema-describes-operations": ["lacks"],
  "current/state-has-one-key": ["no-object", "no-key", "more-keys", "no-object-inside"],
  "current/state-is-listed": unlisted,
  "current/error-code-is-listed": unlisted,
  "current/exceeded-limit-has-its-error": answers,
  "current/created-in-progress": ["begins-as"],
  "current/answer-is-unchanged": ["no-answer", "blocks", "no-block"],
  "current/question-text-is-kept": asAsked,
  "current/state-transitions-are-listed": transitions,
  "current/questions-keep-their-order": order,
  "current/missing-token-is-refused": answers,
  "current/invalid-token-is-refused": answers,
  "current/scope-is-required": answers,
  "current/access-token-is-accepted": answers,
  "current/create-is-accepted": answers,
  "current/get-returns-the-conversation": answers,
  "current/follow-up-is-accepted": answers,
  "current/cancel-is-accepted": answers,
  "current/delete-is-accepted": answers,
  "current/deleted-is-gone": answers,
  "current/other-user-may-not-write": answers,
  "current/list-is-accepted": answers,
  "current/read-scope-may-read": answers,
  "current/write-scope-may-write": answers,
  "current/bad-request-is-refused": answers,
  "current/unknown-name-is-refused": answers,
  "migration/questions-agree": ["other-text", "other-count"],
};

const codesOfGrammar = (rule: RuleId): readonly string[] =>
  Object.entries(grammarViolations).flatMap(([code, violation]) => (violation.rule === rule ? [code] : []));

/**
 * The closed codes that tell the findings of a rule apart; none for a rule whose findings are all of one kind. A code may
 * have an argument, which tells apart what the same code says of different members, values or operations.
 */
export const findingCodesOf = (rule: RuleId): readonly string[] => {
  const codes = codesOfRules[rule] ?? codesOfGrammar(rule);
  return codes.length > 1 || Object.hasOwn(codesOfRules, rule) ? codes : [];
};

/** A place in JSON as an argument: a pointer in which every index is `*`. */
export const placeArgument = (pointer: string): string =>
  (pointer === "" ? "/" : pointer).replaceAll(/\/\d+(?=\/|$)/gu, "/*");
