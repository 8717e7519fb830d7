/** What one request for the OpenAPI document of a target came to. */
export interface ReferenceAnswer {
  /** Id of the exchange. */
  readonly exchange: string;
  readonly url: string;
  readonly found: FoundReference;
}

/**
 * What stood at the address. `page`: it offers `links` addresses of documents and, unless `isOpen`, nothing else that could
 * lead to one. `none`: it is whole, and no OpenAPI document. `missing`: the status says that nothing is there, or is from 500 twice. `unclear`: nothing
 * follows from what came, or from that nothing came; `why` is one clause.
 */
export type FoundReference =
  | { readonly kind: "document" }
  | { readonly kind: "page"; readonly links: number; readonly isOpen: boolean }
  | { readonly kind: "none"; readonly why: string }
  | { readonly kind: "missing"; readonly status: number }
  | { readonly kind: "unclear"; readonly why: string };
