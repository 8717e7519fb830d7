/**
 * Names and values that a server sends, by how they are called: those of the document, those that real instances use, or those of
 * the document in a form that clients of real instances can read too.
 */
export const vocabularies = { document: "observed", field: "field", both: "both" } as const;
export type VocabularyName = keyof typeof vocabularies;

export const vocabularyNames = ["document", "field", "both"] as const satisfies readonly VocabularyName[];
