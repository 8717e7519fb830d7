/**
 * Rules that were in the catalogue and are gone, each with the reason, one clause. Their ids are never used again; a list of
 * known failures that names one is still read.
 */
export const retiredRules: Readonly<Record<string, string>> = {
  "legacy/other-scheme-is-refused": "the specification says how callers write their token, not what has to be refused",
  "legacy/x-requested-with-is-required": "the specification says what callers send, not what has to be refused",
  "legacy/x-requested-with-has-its-shape": "the specification says what callers send, not what has to be refused",
  "current/no-answer-while-processing":
    "no sentence says that the current interface has no answer while it is processing",
  "migration/id-becomes-name": "no sentence says that the name of a conversation ends in its former number",
};

/** Why a rule is gone, one clause; nothing for one that never was, or still is. */
export const whyRetired = (id: string): string | undefined =>
  Object.hasOwn(retiredRules, id) ? retiredRules[id] : undefined;
