/** One request as the server saw it. */
export interface JournalEntry {
  /** Number of the request since the start, from 1. */
  readonly id: number;
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  /** Wall-clock time of arrival, milliseconds since 1970. */
  readonly at: number;
  /** Id of the fault the server was started with. */
  readonly fault?: string;
  /** Whether that fault really changed something in this answer. */
  readonly faultApplied: boolean;
  /** `open` until the answer ended; `client-left` when the connection closed before. */
  readonly end: "open" | "finished" | "client-left";
}

/** What the answering code may report about its request. */
interface JournalLine {
  readonly id: number;
  faultApplied(): void;
  ended(end: "finished" | "client-left"): void;
}

export interface Journal {
  open(request: { readonly method: string; readonly url: string; readonly fault: string | undefined }): JournalLine;
  entries(): readonly JournalEntry[];
}

const mostEntries = 10_000;

/** A journal in memory. It keeps the newest 10,000 requests. */
export const createJournal = (): Journal => {
  const entries = new Map<number, JournalEntry>();
  let lastId = 0;
  const change = (id: number, part: Partial<JournalEntry>): void => {
    const entry = entries.get(id);
    if (entry !== undefined) {
      entries.set(id, { ...entry, ...part });
    }
  };
  return {
    open: ({ method, url, fault }) => {
      lastId += 1;
      const id = lastId;
      const start = { id, method, url, at: Date.now(), faultApplied: false, end: "open" } as const;
      entries.set(id, fault === undefined ? start : { ...start, fault });
      entries.delete(id - mostEntries);
      return {
        id,
        faultApplied: () => change(id, { faultApplied: true }),
        ended: (end) => change(id, { end }),
      };
    },
    entries: () => [...entries.values()],
  };
};
