import { Buffer } from "node:buffer";
import { HarnessError, apiReferencePath, defined } from "@assay/contract";
import type { ExchangeDraft, HeaderField } from "@assay/evidence";
import { visibleText } from "@assay/evidence";
import { type SearchParameters, urlBelow } from "./base-url.ts";
import type { AuthorizationScheme } from "./credentials/credentials.ts";
import { checkHeader } from "./credentials/extra-headers.ts";
import type { ClientLimits } from "./limits.ts";

/** What is asked of a conversation interface. */
export type CallOperation = Exclude<ExchangeDraft["operation"], "search" | "describe">;

/** One call of the conversation API. Source: conversation-api, sections 4 and 5. */
export interface CallRequest {
  readonly interface: "legacy" | "current";
  readonly operation: CallOperation;
  readonly method: string;
  /** Below the base URL, beginning with a slash; whatever comes from a target has to be encoded in it already. */
  readonly path: string;
  /** In the order of sending; names and values are encoded here. */
  readonly query?: SearchParameters;
  /** Sent as it is, as JSON by its content type, and recorded; at most 1 MiB. Without it no content type is sent. */
  readonly body?: string;
  /** More headers, or others than the usual ones. */
  readonly headers?: readonly HeaderField[];
  /** `X-Requested-With`, or null to leave it out [name and version of the user agent for `legacy`, else none]. */
  readonly clientHeader?: string | null;
  /** How the call identifies itself; `unknown` is for recordings and sends nothing. */
  readonly credential: ExchangeDraft["credential"];
  /** The token of the credential; needed unless it is `none`. That of `other-scheme` is one the target issued. */
  readonly token?: string;
  /** The word before the token [the usual one of the credential]. */
  readonly scheme?: AuthorizationScheme;
  readonly signal?: AbortSignal;
  /** Of this call alone, instead of the client's [the client's]. */
  readonly totalTimeoutMs?: number;
  /** Until the response head is complete; never longer than the client waits [the client's]. */
  readonly firstByteTimeoutMs?: number;
  /** Who asks, in turn; kept in the draft. */
  readonly session?: string;
}

/** A call with everything that makes it an exchange but its id and its probe. */
export type CallDraft = Omit<ExchangeDraft, "id" | "probe">;

export interface DescribeRequest {
  /** An absolute http or https address [where the target shows its reference]. */
  readonly url?: string;
  readonly signal?: AbortSignal;
  /** [the client's] */
  readonly totalTimeoutMs?: number;
  /** Until the response head is complete; never longer than the client waits [the client's]. */
  readonly firstByteTimeoutMs?: number;
}

/** What a call is once it can be sent. */
export interface PreparedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderField[];
  readonly body?: string;
  /** Headers of every request that this one goes without, in lower case. */
  readonly without: readonly string[];
}

/** Most of a request body that a record keeps. */
const maxRequestBytes = 1024 * 1024;

const clientHeaderName = "x-requested-with";

/** `assay/0.1.0 (...)` as the legacy interface wants it: a name, a space, a version. */
const clientNameOf = (userAgent: string): string => (userAgent.split(" ", 1)[0] ?? "").replace("/", " ");

/** The address; a path with `..`, a space or a question mark in it would be asked for as another one. */
function urlOfCall(base: URL, { path, query = [] }: CallRequest): string {
  const asked = urlBelow(base, path, []);
  const requested = URL.canParse(asked) ? new URL(asked) : undefined;
  if (
    !path.startsWith("/") ||
    requested?.origin !== base.origin ||
    requested.pathname !== asked.slice(base.origin.length)
  ) {
    const shown = visibleText(path, 80);
    throw new HarnessError("bad-url", `the path "${shown}" would not be asked for as it is; encode what is in it`);
  }
  return urlBelow(base, path, query);
}

function checkBody(body: string | undefined): void {
  if (body !== undefined && Buffer.byteLength(body) > maxRequestBytes) {
    throw new HarnessError("bad-body", `a request body is larger than ${maxRequestBytes} bytes, more than is recorded`);
  }
}

/** What a client adds to its calls; `usual` are the headers of the credential and of the kind of answer wanted. */
interface CallSetup {
  readonly baseUrl: URL;
  readonly userAgent: string;
  readonly usual: readonly HeaderField[];
}

/** Address, headers and body of a call. Fails with `bad-url` when the path would mean another one, `bad-body` or `bad-header`. */
export function prepareCall(call: CallRequest, { baseUrl, userAgent, usual }: CallSetup): PreparedCall {
  const { method, headers = [], body } = call;
  const { clientHeader = call.interface === "legacy" ? clientNameOf(userAgent) : null } = call;
  checkBody(body);
  const contentType: readonly HeaderField[] = body === undefined ? [] : [["content-type", "application/json"]];
  const client: readonly HeaderField[] = clientHeader === null ? [] : [[clientHeaderName, clientHeader]];
  const own = headers.map((field) => checkHeader(field, "the call"));
  const names = new Set(own.map(([name]) => name));
  return {
    method,
    url: urlOfCall(baseUrl, call),
    headers: [...[...usual, ...contentType, ...client].filter(([name]) => !names.has(name)), ...own],
    ...defined({ body }),
    without: call.clientHeader === null ? [clientHeaderName] : [],
  };
}

/** Most of an OpenAPI document that is read; the byte more tells that there was more. */
const maxDocumentBytes = 16 * 1024 * 1024 + 1;

/** Bounds of fetching an OpenAPI document, encoded or not. */
export const documentLimits = (limits: ClientLimits): ClientLimits => ({
  ...limits,
  maxBodyBytes: Math.min(limits.maxBodyBytes, maxDocumentBytes),
  maxDecodedBytes: Math.min(limits.maxDecodedBytes, maxDocumentBytes),
});

/** Where the target shows its OpenAPI document or the way to it. Source: conversation-api, section 9. */
export const referenceUrl = (base: URL): string => urlBelow(base, apiReferencePath, []);

/** What an OpenAPI document is asked for as. */
export const documentTypes = "application/json, application/yaml, text/yaml, text/html;q=0.8, */*;q=0.5";
