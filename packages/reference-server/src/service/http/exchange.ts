import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
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
  readonly queryParameters: URLSearchParams;
  readonly ports: ExchangePorts;
  /** Records that a component other than a port changed the response. */
  readonly recordChange: () => void;
  /** The journal entry. */
  readonly journalLine: JournalLine;
}

const parseParameters = (url: string): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");

const usedConnections = new WeakSet<Socket>();

/**
 * Runs an exchange and records it in the journal. Returns when the client has received the response or has disconnected. The signal has
 * fired by then, so the handler should have ended.
 */
export const recordExchange = async (
  service: SearchService,
  { request, response }: Pick<Exchange, "request" | "response">,
  answer: (exchange: Exchange) => Promise<void>,
): Promise<void> => {
  const { closingSignal, journal, tokens } = service;
  const controller = new AbortController();
  const { signal } = controller;
  const abortExchange = (): void => controller.abort();
  const journalLine = journal.open({ request, fault: service.ports.faultId, tokens });
  const connectionClosed = new Promise<void>((resolve) => {
    response.once("close", () => {
      abortExchange();
      resolve();
    });
  });
  closingSignal.addEventListener("abort", abortExchange, { once: true });
  const { url = "" } = request;
  const parameters = parseParameters(url);
  const recordChange = (): void => journalLine.recordFaultApplied();
  const isConnectionReused = usedConnections.has(request.socket);
  usedConnections.add(request.socket);
  const ports = service.ports.exchange({
    url,
    queryParameters: parameters,
    isConnectionReused,
    signal,
    recordChange,
  });
  try {
    await answer({ request, response, signal, queryParameters: parameters, ports, recordChange, journalLine });
    await connectionClosed;
  } finally {
    closingSignal.removeEventListener("abort", abortExchange);
    response.destroy();
    const status = response.headersSent ? response.statusCode : undefined;
    journalLine.recordEnd(response.writableFinished ? "finished" : "client-left", status);
  }
};
