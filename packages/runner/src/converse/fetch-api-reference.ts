import { defined } from "@assay/contract";
import { Buffer } from "node:buffer";
import { readApiReference } from "@assay/openapi";
import type { BundleWriter, ExchangeDraft, ExchangeRecord } from "@assay/evidence";
import type { ConverseListener } from "./caller.ts";
import { createConversationProbe } from "./conversation-probe.ts";

/** Fetches a URL without a credential; `url` is absent for the reference of the target. */
export type SendDescribe = (request: {
  readonly id: string;
  readonly probe: string;
  readonly url?: string;
  readonly signal?: AbortSignal;
}) => Promise<ExchangeDraft>;

export interface FetchApiReferenceOptions {
  readonly describe: SendDescribe;
  /** URL of the document. Default: the target's API reference. */
  readonly url?: string;
  /** Returns the unresolved links to documents in a fetched page. Default: those that `readApiReference` finds. */
  readonly findLinks?: (bytes: Uint8Array, contentType: string | undefined) => readonly string[];
  readonly writer: Pick<BundleWriter, "writeExchange">;
  readonly nextId: () => string;
  /** Whether a fetch with a 5xx answer is retried once. Default: true. */
  readonly shouldRetry?: boolean;
  readonly signal?: AbortSignal;
  readonly listener?: ConverseListener;
}

/** Maximum number of links followed, including redirects. */
const maxLinks = 3;

const findHeader = ({ response }: ExchangeDraft, name: string): string | undefined =>
  response?.headers.find(([headerName]) => headerName.toLowerCase() === name)?.[1];

/** Returns the unresolved links to documents in a fetched page, or none if the response is not such a page. */
function readPageLinks(bytes: Uint8Array, contentType: string | undefined): readonly string[] {
  const reading = readApiReference(bytes, contentType);
  return reading.ok && reading.value.kind === "page" ? reading.value.links : [];
}

/** Returns the links in an answer: those in its page, or its redirect. */
function findAnswerLinks(
  draft: ExchangeDraft,
  findLinks: NonNullable<FetchApiReferenceOptions["findLinks"]>,
): readonly string[] {
  const status = draft.response?.status ?? 0;
  if (draft.end.kind === "failed") {
    return [];
  }
  if ([301, 302, 303, 307, 308].includes(status)) {
    return [findHeader(draft, "location") ?? ""];
  }
  const bytes = Buffer.concat((draft.response?.chunks ?? []).map((chunk) => chunk.bytes));
  return status === 200 ? findLinks(bytes, findHeader(draft, "content-type")) : [];
}

/** Returns the URL of a link if it has the same origin and no user name. */
function resolveSameOrigin(link: string, page: string): string | undefined {
  const url = URL.canParse(link, page) ? new URL(link, page) : undefined;
  if (url === undefined || url.origin !== new URL(page).origin || url.username !== "" || url.password !== "") {
    return undefined;
  }
  url.hash = "";
  return url.href;
}

const isDone = (draft: ExchangeDraft, links: readonly string[]): boolean =>
  draft.response?.status === 200 && draft.end.kind === "complete" && links.length === 0;

/** Reports whether an answer is a 5xx, which may be temporary. */
const isServerError = ({ end, response }: ExchangeDraft): boolean =>
  end.kind === "complete" && response !== undefined && response.status >= 500;

async function fetchUrl(
  { describe, writer, nextId, signal, listener }: FetchApiReferenceOptions,
  url: string | undefined,
) {
  const probe = createConversationProbe("openapi", "reference");
  listener?.exchangeStarted?.(probe);
  const draft = await describe({
    id: nextId(),
    probe: probe.id,
    ...defined({ url, signal }),
  });
  const record = await writer.writeExchange(draft);
  listener?.exchangeRecorded?.(probe, record);
  return { draft, record };
}

/**
 * Fetches the OpenAPI document of a target and records each fetch. If the answer is a page or a redirect, it follows up to three links
 * of the same origin until an answer has no further links. A 5xx answer is retried once. Does not check that the result is a document.
 * Fails if a fetch cannot be recorded. Source: conversation-api, section 9.
 */
export async function fetchApiReference(options: FetchApiReferenceOptions): Promise<readonly ExchangeRecord[]> {
  const records: ExchangeRecord[] = [];
  const triedUrls = new Set<string>();
  const pendingUrls: (string | undefined)[] = [options.url];
  let fetchCount = 0;
  while (pendingUrls.length > 0 && fetchCount <= maxLinks && options.signal?.aborted !== true) {
    const url = pendingUrls.shift();
    fetchCount += 1;
    let { draft, record } = await fetchUrl(options, url);
    records.push(record);
    if (options.shouldRetry !== false && isServerError(draft)) {
      ({ draft, record } = await fetchUrl(options, url));
      records.push(record);
    }
    triedUrls.add(draft.request.url);
    const links = findAnswerLinks(draft, options.findLinks ?? readPageLinks);
    if (isDone(draft, links)) {
      return records;
    }
    for (const link of links.flatMap((href) => resolveSameOrigin(href, draft.request.url) ?? [])) {
      if (!triedUrls.has(link)) {
        triedUrls.add(link);
        pendingUrls.push(link);
      }
    }
  }
  return records;
}
