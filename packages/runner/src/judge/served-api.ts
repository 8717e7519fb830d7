import type { HarnessError } from "@assay/contract";
import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { describeApi, mayLeadElsewhere, readApiReference } from "@assay/openapi";
import type { ApiDescription } from "@assay/openapi";
import type { ReferenceContent, ReferenceResponse } from "@assay/rules";
import { readBodyBytes } from "./body-bytes.ts";

/** The OpenAPI document of a target, from the exchanges of a run. */
export interface ServedApi {
  /** Absent if no document was usable. `notes` contains the reasons. */
  readonly api?: ApiDescription;
  readonly address?: string;
  /** SHA-256 of the received bytes, lower-case hex. */
  readonly sha256?: string;
  readonly notes: readonly string[];
  /** The result of each request for the document, in sending order, up to the successful one. */
  readonly reference?: readonly ReferenceResponse[];
}

const isSuccess = ({ record, unreadable }: RecordedExchange): boolean =>
  unreadable === undefined &&
  record.end.kind === "complete" &&
  record.response !== undefined &&
  record.response.status >= 200 &&
  record.response.status < 300;

const findContentType = ({ record }: RecordedExchange): string | undefined =>
  record.response?.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];

const describeUrl = ({ record }: RecordedExchange): string => visibleText(record.request.url, 300);

/** A parsed document, with its number of notes after parsing. Judging may add notes. */
interface CachedDescription {
  readonly api: ApiDescription;
  readonly noteCount: number;
}

/** The most recent documents by digest. Parsing a document takes longer than judging a run with it. */
const descriptionCache = new Map<string, CachedDescription>();
const maxDescriptions = 4;

/** Parses an API description. Returns undefined for a page that links to a document. */
async function parseDescription(bytes: Buffer, sha256: string, contentType: string | undefined) {
  const cachedDescription = descriptionCache.get(sha256);
  if (cachedDescription !== undefined && cachedDescription.api.notes.length === cachedDescription.noteCount) {
    return { ok: true, value: cachedDescription.api } as const;
  }
  const reading = readApiReference(bytes, contentType);
  if (!reading.ok) {
    return reading;
  }
  const api = reading.value.kind === "page" ? undefined : await describeApi(reading.value.document, "served");
  if (api?.ok === true) {
    cacheDescription(sha256, { api: api.value, noteCount: api.value.notes.length });
  }
  return api;
}

function cacheDescription(sha256: string, description: CachedDescription): void {
  descriptionCache.delete(sha256);
  descriptionCache.set(sha256, description);
  const [oldest] = descriptionCache.keys();
  if (descriptionCache.size > maxDescriptions && oldest !== undefined) {
    descriptionCache.delete(oldest);
  }
}

/** Reads the description in a recorded response, or the reason there is none. */
async function readDescription(
  exchange: RecordedExchange,
): Promise<ServedApi & { readonly content: ReferenceContent }> {
  const bytes = readBodyBytes(exchange);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const contentType = findContentType(exchange);
  const api = await parseDescription(bytes, sha256, contentType);
  if (api === undefined) {
    return { notes: [], content: classifyPage(bytes, contentType) };
  }
  return api.ok
    ? { api: api.value, address: describeUrl(exchange), sha256, notes: [], content: { kind: "document" } }
    : {
        notes: [`${describeUrl(exchange)}: ${visibleText(api.error.sentence, 300)}`],
        content: classifyOtherContent(api.error, bytes, contentType ?? ""),
      };
}

function classifyPage(bytes: Buffer, contentType: string | undefined): ReferenceContent {
  const reading = readApiReference(bytes, contentType);
  const links = reading.ok && reading.value.kind === "page" ? reading.value.links : [];
  return { kind: "page", links: links.length, isOpen: mayLeadElsewhere(bytes, links) };
}

/** Reports "not a schema" only if that is certain, because the content may be a schema in an unsupported format. */
function classifyOtherContent(error: HarnessError, bytes: Buffer, contentType: string): ReferenceContent {
  const reason = visibleText(error.sentence, 200);
  if (error.code === "html" && /^\s*<(?:!doctype html|html)\b/iu.test(bytes.subarray(0, 200).toString("latin1"))) {
    return { kind: "page", links: 0, isOpen: mayLeadElsewhere(bytes, []) };
  }
  const isTruncatedJson = error.code === "not-json" && /^\s*\{\s*"/u.test(bytes.subarray(0, 200).toString("latin1"));
  const isOtherFormat = error.code === "not-open-api" && !/html/iu.test(contentType);
  return isTruncatedJson || isOtherFormat ? { kind: "none", reason } : { kind: "unclear", reason };
}

/**
 * Finds the first OpenAPI document in recorded exchanges. Adds a note for each exchange without a document. Uses only recorded data.
 */
export async function findServedApi(exchanges: readonly RecordedExchange[]): Promise<ServedApi> {
  const notes: string[] = [];
  const reference: ReferenceResponse[] = [];
  const referenceExchanges = exchanges.filter(({ record }) => record.interface === "reference");
  for (const [index, exchange] of referenceExchanges.entries()) {
    const isSecondFailure = isRetry(referenceExchanges[index - 1], exchange);
    if (isRetry(exchange, referenceExchanges[index + 1])) {
      continue;
    }
    const { content, ...served } = isSuccess(exchange)
      ? await readDescription(exchange)
      : reportUnanswered(exchange, isSecondFailure);
    notes.push(...served.notes);
    reference.push({ exchange: exchange.record.id, url: exchange.record.request.url, content });
    if (served.api !== undefined) {
      return { ...served, notes, reference };
    }
  }
  return { notes, reference };
}

/** Reports whether the second of two consecutive fetches retries the same URL after a 5xx answer. */
const isRetry = (first: RecordedExchange | undefined, second: RecordedExchange | undefined): boolean =>
  first !== undefined &&
  first.record.request.url === second?.record.request.url &&
  first.record.end.kind === "complete" &&
  (first.record.response?.status ?? 0) >= 500;

/**
 * Describes a fetch that returned no document. `isSecondFailure` is true if the previous fetch of the same URL also returned a 5xx
 * status.
 */
function reportUnanswered(
  exchange: RecordedExchange,
  isSecondFailure: boolean,
): ServedApi & { readonly content: ReferenceContent } {
  const { end, response } = exchange.record;
  const status = response?.status;
  const reason = end.kind === "failed" ? visibleText(end.message, 300) : `status ${status ?? "unknown"}`;
  const isMissing =
    end.kind === "complete" &&
    (status === 404 || status === 410 || (isSecondFailure && status !== undefined && status >= 500));
  return {
    notes: [`${describeUrl(exchange)}: no OpenAPI document came (${reason})`],
    content: isMissing
      ? { kind: "missing", status }
      : { kind: "unclear", reason: `no OpenAPI document came (${reason})` },
  };
}
