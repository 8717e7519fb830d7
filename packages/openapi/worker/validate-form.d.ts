/** Problems of the form of a document. Runs in the calling thread and without a time limit; see `validateOpenApiDocument`. */
export declare const validateForm: (
  document: object,
) => { readonly value: null } | { readonly code: string; readonly reason: string };
