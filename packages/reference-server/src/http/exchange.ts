import type { IncomingMessage, ServerResponse } from "node:http";
import type { FaultRun } from "../faults/fault-run.ts";
import type { JournalLine } from "../journal.ts";
import type { SearchService } from "./search-service.ts";

/** One request with its answer, from arrival to the last byte. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Fires when the client has left or the server closes. */
  readonly signal: AbortSignal;
  /** What a fault gets to know. */
  readonly run: FaultRun;
  /** What the journal gets to know. */
  readonly line: JournalLine;
}

const parametersOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");

/**
 * Has an exchange answered and keeps the journal of it. Returns when the connection has taken the answer or is gone; whatever
 * was answering should be over then, because the signal has fired.
 */
export const keepExchange = async (
  service: SearchService,
  { request, response }: Pick<Exchange, "request" | "response">,
  answer: (exchange: Exchange) => Promise<void>,
): Promise<void> => {
  const { active, closing, journal, tokens } = service;
  const controller = new AbortController();
  const { signal } = controller;
  const leave = (): void => controller.abort();
  const line = journal.open({ request, fault: active?.fault.id, tokens });
  const closed = new Promise<void>((resolve) => {
    response.once("close", () => {
      leave();
      resolve();
    });
  });
  closing.addEventListener("abort", leave, { once: true });
  const run: FaultRun = {
    values: active?.values ?? {},
    given: parametersOf(request.url ?? ""),
    signal,
    applied: () => line.faultApplied(),
    ticket: service.ticket,
  };
  try {
    await answer({ request, response, signal, run, line });
    await closed;
  } finally {
    closing.removeEventListener("abort", leave);
    response.destroy();
    const status = response.headersSent ? response.statusCode : undefined;
    line.ended(response.writableFinished ? "finished" : "client-left", status);
  }
};
