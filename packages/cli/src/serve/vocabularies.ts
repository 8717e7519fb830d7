/**
 * Names and values of the responses of a server: those of the specifications, those of real instances, or those of the specifications in
 * a form that clients of real instances can read too.
 */
export const vocabularies = { document: "observed", field: "field", both: "both" } as const;
export type VocabularyName = keyof typeof vocabularies;

export const vocabularyNames = ["document", "field", "both"] as const satisfies readonly VocabularyName[];
