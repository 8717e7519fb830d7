import { type FaultChoice, chooseFault } from "../faults/fault-registry.ts";
import { faultPorts } from "../faults/fault-ports.ts";
import { shapeChunks } from "../service/http/answer-search.ts";
import type { SearchPorts } from "../service/ports.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import { collected } from "./collected.ts";

async function* each(events: readonly SearchEvent[]): AsyncGenerator<SearchEvent> {
  yield* events;
}

const portsOf = (choice: FaultChoice): SearchPorts =>
  faultPorts([chooseFault(choice)]).exchange({
    url: "",
    queryParameters: new URLSearchParams({ q: "needle" }),
    isConnectionReused: false,
    signal: new AbortController().signal,
    recordChange: () => undefined,
  }).search;

/** Applies a fault to the events of a search, without a server. */
export const eventsWith = (choice: FaultChoice, events: readonly SearchEvent[]): Promise<readonly SearchEvent[]> =>
  collected(portsOf(choice).events(each(events)));

/** Applies a fault to the events of a search and returns the bytes, without a server. */
export const bytesWith = async (choice: FaultChoice, events: readonly SearchEvent[]): Promise<Buffer> => {
  const chunks = await collected(shapeChunks(each(events), portsOf(choice)));
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
};
