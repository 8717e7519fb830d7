/**
 * Rules that were removed from the catalogue, each with the reason, as a clause. Their ids are never reused; a list of
 * known failures that names one can still be read.
 */
export const retiredRules: Readonly<Record<string, string>> = {
  "legacy/other-scheme-is-refused": "the specification says how callers write their token, not what must be refused",
  "legacy/x-requested-with-is-required": "the specification says what callers send, not what must be refused",
  "legacy/x-requested-with-has-its-shape": "the specification says what callers send, not what must be refused",
  "current/no-answer-while-processing":
    "no requirement says that the current interface has no answer while it is processing",
  "migration/id-becomes-name": "no requirement says that the name of a conversation ends in its former number",
};

/** Returns why a rule was removed, as one clause. Undefined for every other id. */
export const retirementReason = (id: string): string | undefined =>
  Object.hasOwn(retiredRules, id) ? retiredRules[id] : undefined;
