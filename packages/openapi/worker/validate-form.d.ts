/** What is wrong with the form of a document, in the thread that calls it and without an end; see `validateOpenApiDocument`. */
export declare const validateForm: (
  document: object,
) => { readonly value: null } | { readonly code: string; readonly reason: string };
