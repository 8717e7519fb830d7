import type { RunResult } from "./run-result.ts";

/** Names in the order a reader wants them; names that are not listed follow in alphabetical order. */
const readingOrder = [
  [
    "schemaVersion",
    "tool",
    "run",
    "outcome",
    "exitCode",
    "summary",
    "incomplete",
    "knownFailureMistakes",
    "knownFailureNotes",
    "counts",
    "verdicts",
    "gaps",
    "openapi",
    "exchanges",
  ],
  ["name", "version", "id", "startedAt", "target", "embedded", "profile", "seed", "strict"],
  ["rule", "interface", "operation", "title", "basis", "sentences", "mustObserve", "verdict", "known", "notes"],
  ["observations", "obstacle", "missing", "reason", "findings", "moreFindings", "unseen", "gap", "seen"],
  ["owner", "expires", "source", "line"],
  ["kind", "code", "message", "exchange", "event", "offset", "length", "pointer", "standardClient", "excerpt", "curl"],
  ["document", "section", "text", "before", "marked", "after"],
  ["passed", "failed", "warned", "known-failure", "unexpectedly-fixed"],
  ["not-observed", "not-applicable", "could-not-run"],
  ["address", "sha256", "differences"],
  ["probe", "url", "status", "bytes", "events", "matches", "firstMatchMicros", "durationMicros", "failure"],
].flat();
const ranks = new Map(readingOrder.map((name, index) => [name, index]));
const rankOf = (name: string): number => ranks.get(name) ?? readingOrder.length;

const byReadingOrder = ([a]: [string, unknown], [b]: [string, unknown]): number => {
  const difference = rankOf(a) - rankOf(b);
  return difference === 0 && a !== b ? (a < b ? -1 : 1) : difference;
};

const ordered = (_name: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(byReadingOrder))
    : value;

/**
 * The bytes of `verdicts.json`: indented by two spaces, keys in a fixed order however the value was put together, one line
 * feed at the end. Equal values give equal bytes; a lone surrogate is written as an escape.
 */
export const stringifyRunResult = (result: RunResult): string => `${JSON.stringify(result, ordered, 2)}\n`;
