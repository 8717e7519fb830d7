import { defined } from "@assay/contract";
import type { Client } from "@assay/client";
import type { ExchangeDraft } from "@assay/evidence";

/** The sending methods of a client. */
export type RequestSender = Pick<Client, "search" | "call" | "describe">;

/** A client that adapts its timeouts to earlier responses. */
export interface PatientClient extends RequestSender {
  /** True if the last finished request timed out and no request has received a response since. */
  readonly isTargetUnresponsive: boolean;
}

/** Timeout for a response head after a request that timed out, in milliseconds. */
const shortWaitMs = 5000;

/** Wait for the end of a response after `done` if the previous response was left open, in milliseconds. */
const shortLingerMs = 500;

const timeoutCodes: ReadonlySet<string> = new Set(["first-byte-timeout", "total-timeout", "connect-timeout"]);

const hasTimedOut = ({ end, response }: Pick<ExchangeDraft, "end" | "response">): boolean =>
  response === undefined && end.kind === "failed" && timeoutCodes.has(end.code);

/**
 * Wraps a client. It uses the usual timeout until a request times out, then 5 seconds until a response arrives, so that an unresponsive
 * target costs one usual timeout and a few short ones. Similarly, it waits the usual time for the end of a stream after `done`, but only
 * half a second after a stream was left open, until a stream ends.
 */
export function createPatientClient(client: RequestSender): PatientClient {
  let isUnanswered = false;
  let wasStreamLeftOpen = false;
  const sendWithTimeout = async <Draft extends Pick<ExchangeDraft, "end" | "response">>(
    send: (timeoutOptions: { readonly firstByteTimeoutMs?: number }) => Promise<Draft>,
  ): Promise<Draft> => {
    const draft = await send(defined({ firstByteTimeoutMs: isUnanswered ? shortWaitMs : undefined }));
    isUnanswered = draft.response === undefined && (isUnanswered || hasTimedOut(draft));
    return draft;
  };
  return {
    async search(request) {
      const lingerOptions = defined({ lingerMs: wasStreamLeftOpen ? shortLingerMs : undefined });
      const draft = await sendWithTimeout((timeoutOptions) =>
        client.search({ ...request, ...lingerOptions, ...timeoutOptions }),
      );
      if (draft.end.kind === "complete" && draft.response?.status === 200) {
        wasStreamLeftOpen = draft.end.closedBy === "client";
      }
      return draft;
    },
    call: (request) => sendWithTimeout((timeoutOptions) => client.call({ ...request, ...timeoutOptions })),
    describe: (request) => sendWithTimeout((timeoutOptions) => client.describe({ ...request, ...timeoutOptions })),
    get isTargetUnresponsive() {
      return isUnanswered;
    },
  };
}
