import { Buffer } from "node:buffer";
import { HarnessError, apiReferencePath, defined } from "@assay/contract";
import type { ExchangeDraft, HeaderField } from "@assay/evidence";
import { visibleText } from "@assay/evidence";
import { type SearchParameters, buildUrl } from "./base-url.ts";
import type { AuthorizationScheme } from "./credentials/credentials.ts";
import { checkHeader } from "./credentials/extra-headers.ts";
import type { ClientLimits } from "./limits.ts";

/** An operation of a conversation interface. */
export type CallOperation = Exclude<ExchangeDraft["operation"], "search" | "describe">;

/** One call of the conversation API. Source: conversation-api, sections 4 and 5. */
export interface CallRequest {
  readonly interface: "legacy" | "current";
  readonly operation: CallOperation;
  readonly method: string;
  /** Path under the base URL, starting with a slash. Values received from a target must be encoded. */
  readonly path: string;
  /** Query parameters, in the order of sending. Names and values are encoded here. */
  readonly query?: SearchParameters;
  /** Sent verbatim with a JSON content type, and recorded. At most 1 MiB. Without a body there is no content type. */
  readonly body?: string;
  /** Additional headers, or replacements of the usual ones. */
  readonly headers?: readonly HeaderField[];
  /** `X-Requested-With`, or null to omit it. Default: the name and version of the user agent for `legacy`, none for `current`. */
  readonly clientHeader?: string | null;
  /** The authentication of the call. `unknown` is for recordings and sends no credential. */
  readonly credential: ExchangeDraft["credential"];
  /** The token of the credential. Required unless it is `none`. `other-scheme` needs a token that the target issued. */
  readonly token?: string;
  /** The scheme before the token. Default: the usual one of the credential. */
  readonly scheme?: AuthorizationScheme;
  readonly signal?: AbortSignal;
  /** Timeout of this call. Default: the client's. */
  readonly totalTimeoutMs?: number;
  /** Until the response head is complete, at most the client's limit. Default: the client's. */
  readonly firstByteTimeoutMs?: number;
  /** User and poller of the call; kept in the draft. */
  readonly session?: string;
}

/** A call as an exchange, without id and probe. */
export type CallDraft = Omit<ExchangeDraft, "id" | "probe">;

export interface DescribeRequest {
  /** An absolute http or https URL. Default: the API reference of the target. */
  readonly url?: string;
  readonly signal?: AbortSignal;
  /** Default: the client's. */
  readonly totalTimeoutMs?: number;
  /** Until the response head is complete, at most the client's limit. Default: the client's. */
  readonly firstByteTimeoutMs?: number;
}

/** A call ready to be sent. */
export interface PreparedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderField[];
  readonly body?: string;
  /** Names, in lower case, of extra headers to omit. */
  readonly omittedHeaders: readonly string[];
}

/** Maximum size of a request body. */
const maxRequestBytes = 1024 * 1024;

const clientHeaderName = "x-requested-with";

/** Returns the client name for the legacy interface: a name, a space and a version. Derived from `assay/0.1.0 (...)`. */
const formatClientName = (userAgent: string): string => (userAgent.split(" ", 1)[0] ?? "").replace("/", " ");

/** Returns the URL of a call. Rejects a path with `..`, a space or a question mark, which would be sent as a different path. */
function buildCallUrl(base: URL, { path, query = [] }: CallRequest): string {
  const urlText = buildUrl(base, path, []);
  const resolvedUrl = URL.canParse(urlText) ? new URL(urlText) : undefined;
  if (
    !path.startsWith("/") ||
    resolvedUrl?.origin !== base.origin ||
    resolvedUrl.pathname !== urlText.slice(base.origin.length)
  ) {
    const shownPath = visibleText(path, 80);
    throw new HarnessError(
      "bad-url",
      `the path "${shownPath}" would be sent as a different path; encode its special characters`,
    );
  }
  return buildUrl(base, path, query);
}

function checkBody(body: string | undefined): void {
  if (body !== undefined && Buffer.byteLength(body) > maxRequestBytes) {
    throw new HarnessError("bad-body", `a request body is over the limit of ${maxRequestBytes} bytes`);
  }
}

/** The parts that a client adds to its calls. `defaultHeaders` are those for the credential and the accepted type. */
interface CallSetup {
  readonly baseUrl: URL;
  readonly userAgent: string;
  readonly defaultHeaders: readonly HeaderField[];
}

/**
 * Builds the URL, headers and body of a call. Throws `bad-url` if the path would be sent as a different one, `bad-body` or `bad-header`.
 */
export function prepareCall(call: CallRequest, { baseUrl, userAgent, defaultHeaders }: CallSetup): PreparedCall {
  const { method, headers = [], body } = call;
  const { clientHeader = call.interface === "legacy" ? formatClientName(userAgent) : null } = call;
  checkBody(body);
  const contentType: readonly HeaderField[] = body === undefined ? [] : [["content-type", "application/json"]];
  const clientHeaders: readonly HeaderField[] = clientHeader === null ? [] : [[clientHeaderName, clientHeader]];
  const checkedHeaders = headers.map((field) => checkHeader(field, "the call"));
  const overriddenNames = new Set(checkedHeaders.map(([name]) => name));
  return {
    method,
    url: buildCallUrl(baseUrl, call),
    headers: [
      ...[...defaultHeaders, ...contentType, ...clientHeaders].filter(([name]) => !overriddenNames.has(name)),
      ...checkedHeaders,
    ],
    ...defined({ body }),
    omittedHeaders: call.clientHeader === null ? [clientHeaderName] : [],
  };
}

/** Maximum size of an OpenAPI document, plus one byte to detect larger ones. */
const maxDocumentBytes = 16 * 1024 * 1024 + 1;

/** Returns the limits for fetching an OpenAPI document, encoded or not. */
export const createDocumentLimits = (limits: ClientLimits): ClientLimits => ({
  ...limits,
  maxBodyBytes: Math.min(limits.maxBodyBytes, maxDocumentBytes),
  maxDecodedBytes: Math.min(limits.maxDecodedBytes, maxDocumentBytes),
});

/** Returns the URL of the API reference, which contains the OpenAPI document or links to it. Source: conversation-api, section 9. */
export const buildReferenceUrl = (base: URL): string => buildUrl(base, apiReferencePath, []);

/** Accepted types of an OpenAPI document. */
export const documentTypes = "application/json, application/yaml, text/yaml, text/html;q=0.8, */*;q=0.5";
