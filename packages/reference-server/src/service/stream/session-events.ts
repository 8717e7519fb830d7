import type { Alert } from "../query/search-query.ts";
import type { SearchResult } from "../search/search-result.ts";
import type { ResultCollector } from "./result-collector.ts";
import type { SearchEvent } from "./search-event.ts";

const raceWithTimer = async <Value>(pending: Promise<Value>, timeoutMs: number): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const tick = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([pending, tick]);
  } finally {
    clearTimeout(timer);
  }
};

/** Yields the values of a source, and undefined whenever none arrives for `tickMs`. Ends and fails with the source. */
async function* withTicks<Value extends object>(
  source: AsyncIterable<Value>,
  tickMs: number,
): AsyncGenerator<Value | undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const advance = (): Promise<IteratorResult<Value>> => {
    const step = iterator.next();
    // The step may fail when it is no longer awaited. A caller that awaits it still receives the error.
    step.catch(() => undefined);
    return step;
  };
  try {
    let pending = advance();
    for (;;) {
      const step = await raceWithTimer(pending, tickMs);
      if (step?.done === true) {
        return;
      }
      yield step?.value;
      if (step !== undefined) {
        pending = advance();
      }
    }
  } finally {
    await iterator.return?.();
  }
}

const flushTickMs = 200;
const pingMs = 5000;
const maxWaitingBytes = 32 * 1024;

export interface SessionOptions {
  readonly collector: ResultCollector;
  /** Whether changes are also flushed every 200 ms. Without it, the split into events does not depend on time. */
  readonly hasTimedFlushes: boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Returns the repositories that ran out of time. Called once, at the end. */
  readonly listUnfinishedRepositories: () => readonly string[];
  /** Returns an alert for the user. Called once, at the end. */
  readonly closingAlert: () => Alert | undefined;
  /** Fires when the client disconnects. Nothing is sent after that. */
  readonly clientSignal: AbortSignal;
}

/** The last event of every stream. */
const doneEvent: SearchEvent = { name: "done", data: {} };

/** Returns the whole stream for invalid parameters. */
export const earlyErrorEvents = (message: string): readonly SearchEvent[] => [
  { name: "error", data: { message } },
  doneEvent,
];

/** Returns the whole stream for a query that cannot run. */
export const queryErrorEvents = (alert: Alert): readonly SearchEvent[] => [{ name: "alert", data: alert }, doneEvent];

/** Decides when the next events are due. */
interface Pacing {
  flush(): readonly SearchEvent[];
  /** Reports whether to flush after a result: it is the first one, or enough results are queued. */
  isDueAfterResult(): boolean;
  /** Returns events that are due because of elapsed time. */
  dueEvents(): readonly SearchEvent[];
}

const createPacing = ({ collector, now, hasTimedFlushes }: SessionOptions): Pacing => {
  let flushedAt: number | undefined;
  let progressAt = now();
  const recordSent = (events: readonly SearchEvent[]): readonly SearchEvent[] => {
    progressAt = events.some(({ name }) => name === "progress") ? now() : progressAt;
    return events;
  };
  const flush = (): readonly SearchEvent[] => {
    flushedAt = now();
    return recordSent(collector.flush());
  };
  const isFlushDue = (): boolean => hasTimedFlushes && flushedAt !== undefined && now() - flushedAt >= flushTickMs;
  const ping = (): readonly SearchEvent[] => (now() - progressAt >= pingMs ? recordSent([collector.ping()]) : []);
  return {
    flush,
    isDueAfterResult: () => flushedAt === undefined || collector.waitingBytes() >= maxWaitingBytes,
    dueEvents: () => [...(isFlushDue() ? flush() : []), ...ping()],
  };
};

async function* bodyEvents(
  results: AsyncIterable<readonly SearchResult[]>,
  options: SessionOptions,
): AsyncGenerator<SearchEvent> {
  const pacing = createPacing(options);
  for await (const group of withTicks(results, flushTickMs)) {
    for (const result of group ?? []) {
      const isWithinLimit = options.collector.add(result);
      if (pacing.isDueAfterResult()) {
        yield* pacing.flush();
      }
      if (!isWithinLimit) {
        return;
      }
    }
    yield* pacing.dueEvents();
  }
}

const formatError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Yields the events of a running search. The first result is sent immediately. After that, changes are flushed every 200 ms or at 32 KiB
 * of matches, with a `progress` event at least every 5 s. Final events and `done` follow. A search that fails still ends with its final
 * events, followed by `error`. Source: search-stream, sections 3 and 6.
 */
export async function* sessionEvents(
  results: AsyncIterable<readonly SearchResult[]>,
  options: SessionOptions,
): AsyncGenerator<SearchEvent> {
  const { clientSignal, closingAlert, collector, listUnfinishedRepositories } = options;
  let failure: string | undefined;
  try {
    yield* bodyEvents(results, options);
  } catch (error) {
    failure = formatError(error);
  }
  if (clientSignal.aborted) {
    return;
  }
  const unfinishedRepositories = listUnfinishedRepositories();
  yield* collector.finish(unfinishedRepositories);
  const alert = closingAlert();
  if (alert !== undefined) {
    yield { name: "alert", data: alert };
  }
  if (failure !== undefined && unfinishedRepositories.length === 0) {
    yield { name: "error", data: { message: failure } };
  }
  yield doneEvent;
}
