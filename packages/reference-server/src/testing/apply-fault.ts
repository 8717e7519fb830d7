import { chooseFault } from "../faults/fault-registry.ts";
import type { FaultChoice } from "../faults/fault-registry.ts";
import { effectAt } from "../faults/fault.ts";
import type { FaultRun } from "../faults/fault-run.ts";
import { shapedChunks } from "../http/shape-stream.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { collected } from "./collected.ts";

async function* each(events: readonly SearchEvent[]): AsyncGenerator<SearchEvent> {
  yield* events;
}

const runOf = (values: FaultRun["values"]): FaultRun => ({
  values,
  given: new URLSearchParams({ q: "needle" }),
  signal: new AbortController().signal,
  applied: () => undefined,
  ticket: () => 0,
});

/** What a fault makes of the events of a search, without a server. */
export const eventsWith = (choice: FaultChoice, events: readonly SearchEvent[]): Promise<readonly SearchEvent[]> => {
  const { fault, values } = chooseFault(choice);
  return collected(effectAt(fault, "events")?.apply(each(events), runOf(values)) ?? each([]));
};

/** The bytes that a fault makes of the events of a search, without a server. */
export const bytesWith = async (choice: FaultChoice, events: readonly SearchEvent[]): Promise<Buffer> => {
  const { fault, values } = chooseFault(choice);
  const chunks = await collected(shapedChunks(each(events), { fault, run: runOf(values), randoms: undefined }));
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
};
