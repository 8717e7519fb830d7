import { inReadingOrder } from "./reading-order.ts";
import { printableJson } from "./printable-json.ts";
import type { RunResult } from "./run-result.ts";

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
  [
    "rule",
    "interface",
    "operation",
    "title",
    "basis",
    "sentences",
    "mustObserve",
    "verdict",
    "known",
    "proof",
    "notes",
  ],
  ["arm", "proven", "what", "needs", "isOptional", "tried"],
  [
    "observations",
    "obstacle",
    "missing",
    "reason",
    "findings",
    "moreFindings",
    "affectedExchanges",
    "unseen",
    "gap",
    "seen",
  ],
  ["owner", "expires", "source", "line"],
  [
    "kind",
    "code",
    "argument",
    "message",
    "exchange",
    "event",
    "offset",
    "length",
    "pointer",
    "standardClient",
    "excerpt",
    "curl",
  ],
  ["document", "section", "text", "before", "marked", "after"],
  ["passed", "failed", "warned", "known-failure", "unexpectedly-fixed"],
  ["not-observed", "not-applicable", "could-not-run"],
  ["address", "sha256", "differences"],
  ["probe", "url", "status", "bytes", "events", "matches", "firstMatchMicros", "durationMicros", "failure"],
].flat();
const ordered = inReadingOrder(readingOrder);

/**
 * The bytes of `verdicts.json`: indented by two spaces, keys in a fixed order however the value was put together, one line
 * feed at the end. Equal values give equal bytes; a lone surrogate, and what a terminal or a build system would obey, are written as
 * escapes.
 */
export const stringifyRunResult = (result: RunResult): string =>
  `${printableJson(JSON.stringify(result, ordered, 2))}\n`;
