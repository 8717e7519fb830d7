/** The result of one request for the OpenAPI document of a target. */
export interface ReferenceResponse {
  /** Id of the exchange. */
  readonly exchange: string;
  readonly url: string;
  readonly content: ReferenceContent;
}

/**
 * The content at the URL. `page`: a page with links to `links` documents. If `isOpen`, there may be other links.
 * `none`: a complete response that is not an OpenAPI document. `missing`: the status means that nothing exists there,
 * or was 500 or above twice. `unclear`: the response, or its absence, allows no conclusion. `reason` is one clause.
 */
export type ReferenceContent =
  | { readonly kind: "document" }
  | { readonly kind: "page"; readonly links: number; readonly isOpen: boolean }
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "missing"; readonly status: number }
  | { readonly kind: "unclear"; readonly reason: string };
