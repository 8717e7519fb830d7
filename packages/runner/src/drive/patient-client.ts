import { defined } from "@assay/contract";
import type { Client } from "@assay/client";
import type { ExchangeDraft } from "@assay/evidence";

/** What a run sends requests with. */
export type RequestSender = Pick<Client, "search" | "call" | "describe">;

/** Requests that are answered at once where anything answers. */
export interface PatientClient extends RequestSender {
  /** Whether the last request that ended got no response in time, and no other one was answered since. */
  readonly isUnanswered: boolean;
}

/** Wait for a response head after a request that got none in time, in milliseconds. */
const shortWaitMs = 5000;

/** Wait for more after `done`, where the response before was left open, in milliseconds. */
const shortLingerMs = 500;

const timeouts: ReadonlySet<string> = new Set(["first-byte-timeout", "total-timeout", "connect-timeout"]);

const isTooLate = ({ end, response }: Pick<ExchangeDraft, "end" | "response">): boolean =>
  response === undefined && end.kind === "failed" && timeouts.has(end.code);

/**
 * Waits the usual time for the first response that does not come, and 5 seconds for those after it, until one comes: a target
 * that answers nothing takes no more than one usual wait and a few short ones. Waits the usual time for the end of a stream after
 * its `done`, and half a second after one that was left open, until one ends.
 */
export function createPatientClient(client: RequestSender): PatientClient {
  let isUnanswered = false;
  let isLeftOpen = false;
  const watched = async <Draft extends Pick<ExchangeDraft, "end" | "response">>(
    send: (bounds: { readonly firstByteTimeoutMs?: number }) => Promise<Draft>,
  ): Promise<Draft> => {
    const draft = await send(defined({ firstByteTimeoutMs: isUnanswered ? shortWaitMs : undefined }));
    isUnanswered = draft.response === undefined && (isUnanswered || isTooLate(draft));
    return draft;
  };
  return {
    async search(request) {
      const linger = defined({ lingerMs: isLeftOpen ? shortLingerMs : undefined });
      const draft = await watched((bounds) => client.search({ ...request, ...linger, ...bounds }));
      if (draft.end.kind === "complete" && draft.response?.status === 200) {
        isLeftOpen = draft.end.closedBy === "client";
      }
      return draft;
    },
    call: (request) => watched((bounds) => client.call({ ...request, ...bounds })),
    describe: (request) => watched((bounds) => client.describe({ ...request, ...bounds })),
    get isUnanswered() {
      return isUnanswered;
    },
  };
}
