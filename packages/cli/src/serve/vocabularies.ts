/**
 * Names and values in the responses of a server: as specified, as sent by real instances, or as specified in a form that clients of real
 * instances can read too.
 */
export const vocabularies = { document: "observed", field: "field", both: "both" } as const;
export type VocabularyName = keyof typeof vocabularies;

export const vocabularyNames = ["document", "field", "both"] as const satisfies readonly VocabularyName[];
