import { recordDraft } from "@assay/evidence";
import type { BundleWriter, CredentialKind, ExchangeDraft, ExchangeRecord, FooterInfo } from "@assay/evidence";
import { answerKind } from "../judge/answer-kind.ts";
import type { AnswerKind } from "../judge/answer-kind.ts";
import type { Probe } from "../plan/probe.ts";

/** One search to be sent: the id of its exchange, the probe, and the credential it carries. */
export interface SearchRequest {
  readonly id: string;
  readonly probe: Probe;
  readonly credential: CredentialKind;
}

/** Sends a search and returns what came back; a failure of the connection is part of what it returns. */
export type SendSearch = (request: SearchRequest) => Promise<ExchangeDraft>;

/** What people are told while a run goes on. */
export interface DriveListener {
  probeStarted(probe: Probe): void;
  probeFinished(probe: Probe, record: ExchangeRecord): void;
}

export interface DriveOptions {
  readonly probes: readonly Probe[];
  /** What the probes of the credential `main` carry. */
  readonly mainCredential: CredentialKind;
  readonly hasOauthToken: boolean;
  readonly send: SendSearch;
  readonly writer: Pick<BundleWriter, "writeExchange">;
  /** Whether the time of the whole run is used up; asked before each search. */
  readonly isOverdue: () => boolean;
  /** Aborted with the name of the signal when the user interrupts. */
  readonly signal: AbortSignal;
  readonly listener?: DriveListener;
}

/** After this many failed exchanges in a row the target is left alone. */
const maxFailuresInARow = 3;

/**
 * Sends the probes one after the other and records each exchange before the next is sent. When the plain search is not
 * answered with a stream, nothing more is sent, except after a refusal: then other credentials are tried. Three exchanges
 * in a row that break off end the run. Decides nothing else.
 */
export async function driveRun(options: DriveOptions): Promise<FooterInfo> {
  let answered: AnswerKind = "stream";
  let failures = 0;
  for (const [index, probe] of options.probes.entries()) {
    const credential = credentialOf(probe, options);
    if (credential === undefined || !isWorthSending(probe, answered)) {
      continue;
    }
    const end = endOf(options);
    if (end !== undefined) {
      return end;
    }
    const { kind, isFailed } = await sendProbe(options, { id: exchangeId(index), probe, credential });
    answered = index === 0 ? kind : answered;
    failures = isFailed ? failures + 1 : 0;
    if (failures === maxFailuresInARow && !options.signal.aborted) {
      return {
        ended: "stopped",
        reason: `${failures} searches in a row broke off, so no more were sent; the first failures say why`,
      };
    }
  }
  return endOf(options, "complete") ?? { ended: "complete" };
}

const exchangeId = (index: number): string => String(index + 1).padStart(4, "0");

function credentialOf(
  { credential }: Probe,
  { mainCredential, hasOauthToken }: DriveOptions,
): CredentialKind | undefined {
  switch (credential) {
    case "main":
      return mainCredential;
    case "oauth-token":
      return hasOauthToken ? "oauth-token" : undefined;
    case "none":
      // Without any credential the plain search already was the search without a token.
      return mainCredential === "none" ? undefined : "none";
    case "invalid-token":
      return "invalid-token";
  }
}

/** After a refusal other credentials may show more; after anything else that is no stream, another token may. */
function isWorthSending({ purpose, credential }: Probe, answered: AnswerKind): boolean {
  if (answered === "stream") {
    return true;
  }
  const isOut = answered === "nothing" || answered === "distress";
  return purpose === "access" && !isOut && (answered === "refusal" || credential === "oauth-token");
}

function endOf({ signal, isOverdue }: DriveOptions, all?: "complete"): FooterInfo | undefined {
  if (signal.aborted) {
    return { ended: "interrupted", reason: String(signal.reason) };
  }
  return all === undefined && isOverdue()
    ? {
        ended: "stopped",
        reason: "the time for the whole run was used up before all searches were sent; allow more with --timeout",
      }
    : undefined;
}

interface Sent {
  readonly kind: AnswerKind;
  readonly isFailed: boolean;
}

async function sendProbe({ send, writer, listener }: DriveOptions, request: SearchRequest): Promise<Sent> {
  listener?.probeStarted(request.probe);
  const draft = await send(request);
  const record = await writer.writeExchange(draft);
  listener?.probeFinished(request.probe, record);
  return { kind: answerKind(recordDraft(draft)), isFailed: draft.end.kind === "failed" };
}
