/** The result of one request for the OpenAPI document of a target. */
export interface ReferenceAnswer {
  /** Id of the exchange. */
  readonly exchange: string;
  readonly url: string;
  readonly found: FoundReference;
}

/**
 * The content at the address. `page`: it offers `links` addresses of documents and, unless `isOpen`, no other way to
 * one. `none`: it is complete, and not an OpenAPI document. `missing`: the status means that nothing is there, or was
 * 500 or above twice. `unclear`: the response, or its absence, allows no conclusion; `why` is one clause.
 */
export type FoundReference =
  | { readonly kind: "document" }
  | { readonly kind: "page"; readonly links: number; readonly isOpen: boolean }
  | { readonly kind: "none"; readonly why: string }
  | { readonly kind: "missing"; readonly status: number }
  | { readonly kind: "unclear"; readonly why: string };
