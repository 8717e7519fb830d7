import { defined } from "@assay/contract";
import { Buffer } from "node:buffer";
import { readApiReference } from "@assay/openapi";
import type { BundleWriter, ExchangeDraft, ExchangeRecord } from "@assay/evidence";
import type { ConverseListener } from "./caller.ts";
import { conversationProbe } from "./conversation-probe.ts";

/** Fetches a URL without a credential; `url` is absent for the reference of the target. */
export type SendDescribe = (request: {
  readonly id: string;
  readonly probe: string;
  readonly url?: string;
  readonly signal?: AbortSignal;
}) => Promise<ExchangeDraft>;

export interface FetchApiReferenceOptions {
  readonly describe: SendDescribe;
  /** Address of the document [the API reference of the target]. */
  readonly url?: string;
  /** Links to documents in a fetched page, unresolved [found by `readApiReference`]. */
  readonly linksOf?: (bytes: Uint8Array, contentType: string | undefined) => readonly string[];
  readonly writer: Pick<BundleWriter, "writeExchange">;
  readonly nextId: () => string;
  /** Whether a fetch with a 5xx answer is retried once [true]. */
  readonly isRetried?: boolean;
  readonly signal?: AbortSignal;
  readonly listener?: ConverseListener;
}

/** Maximum number of links followed, including redirects. */
const maxLinks = 3;

const findHeader = ({ response }: ExchangeDraft, name: string): string | undefined =>
  response?.headers.find(([other]) => other.toLowerCase() === name)?.[1];

/** Links to documents in a fetched page, unresolved; none if it is a document itself or neither. */
function namedLinks(bytes: Uint8Array, contentType: string | undefined): readonly string[] {
  const reading = readApiReference(bytes, contentType);
  return reading.ok && reading.value.kind === "page" ? reading.value.links : [];
}

/** Links of an answer: those in its page, or its redirect. */
function linksIn(draft: ExchangeDraft, linksOf: NonNullable<FetchApiReferenceOptions["linksOf"]>): readonly string[] {
  const status = draft.response?.status ?? 0;
  if (draft.end.kind === "failed") {
    return [];
  }
  if ([301, 302, 303, 307, 308].includes(status)) {
    return [findHeader(draft, "location") ?? ""];
  }
  const bytes = Buffer.concat((draft.response?.chunks ?? []).map((chunk) => chunk.bytes));
  return status === 200 ? linksOf(bytes, findHeader(draft, "content-type")) : [];
}

/** Returns the URL of a link if it has the same origin and no user name. */
function sameOrigin(link: string, page: string): string | undefined {
  const url = URL.canParse(link, page) ? new URL(link, page) : undefined;
  if (url === undefined || url.origin !== new URL(page).origin || url.username !== "" || url.password !== "") {
    return undefined;
  }
  url.hash = "";
  return url.href;
}

const isDone = (draft: ExchangeDraft, leads: readonly string[]): boolean =>
  draft.response?.status === 200 && draft.end.kind === "complete" && leads.length === 0;

/** True for a 5xx answer, which may be temporary. */
const isServerError = ({ end, response }: ExchangeDraft): boolean =>
  end.kind === "complete" && response !== undefined && response.status >= 500;

async function fetchOne(
  { describe, writer, nextId, signal, listener }: FetchApiReferenceOptions,
  url: string | undefined,
) {
  const probe = conversationProbe("openapi", "reference");
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
  const waiting: (string | undefined)[] = [options.url];
  let fetched = 0;
  while (waiting.length > 0 && fetched <= maxLinks && options.signal?.aborted !== true) {
    const url = waiting.shift();
    fetched += 1;
    let { draft, record } = await fetchOne(options, url);
    records.push(record);
    if (options.isRetried !== false && isServerError(draft)) {
      ({ draft, record } = await fetchOne(options, url));
      records.push(record);
    }
    triedUrls.add(draft.request.url);
    const leads = linksIn(draft, options.linksOf ?? namedLinks);
    if (isDone(draft, leads)) {
      return records;
    }
    for (const link of leads.flatMap((lead) => sameOrigin(lead, draft.request.url) ?? [])) {
      if (!triedUrls.has(link)) {
        triedUrls.add(link);
        waiting.push(link);
      }
    }
  }
  return records;
}
