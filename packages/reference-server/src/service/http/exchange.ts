import type { IncomingMessage, ServerResponse } from "node:http";
import type { JournalLine } from "../../journal/journal.ts";
import type { ExchangePorts } from "../ports.ts";
import type { SearchService } from "./search-service.ts";

/** A request and its response, from arrival to the last byte. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Fires when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
  /** Query parameters as received. */
  readonly given: URLSearchParams;
  readonly ports: ExchangePorts;
  /** Records that a component other than a port changed the response. */
  readonly applied: () => void;
  /** The journal entry. */
  readonly line: JournalLine;
}

const parseParameters = (url: string): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");

/**
 * Runs an exchange and records it in the journal. Returns when the client has received the response or has disconnected. The signal has
 * fired by then, so the handler should have ended.
 */
export const recordExchange = async (
  service: SearchService,
  { request, response }: Pick<Exchange, "request" | "response">,
  answer: (exchange: Exchange) => Promise<void>,
): Promise<void> => {
  const { closing, journal, tokens } = service;
  const controller = new AbortController();
  const { signal } = controller;
  const leave = (): void => controller.abort();
  const line = journal.open({ request, fault: service.ports.faultId, tokens });
  const connectionClosed = new Promise<void>((resolve) => {
    response.once("close", () => {
      leave();
      resolve();
    });
  });
  closing.addEventListener("abort", leave, { once: true });
  const { url = "" } = request;
  const parameters = parseParameters(url);
  const applied = (): void => line.faultApplied();
  const ports = service.ports.exchange({ url, given: parameters, signal, applied });
  try {
    await answer({ request, response, signal, given: parameters, ports, applied, line });
    await connectionClosed;
  } finally {
    closing.removeEventListener("abort", leave);
    response.destroy();
    const status = response.headersSent ? response.statusCode : undefined;
    line.ended(response.writableFinished ? "finished" : "client-left", status);
  }
};
