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
    "unspecified",
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
    "requirements",
    "mustTest",
    "verdict",
    "known",
    "proof",
    "notes",
  ],
  ["mutation", "confirmed", "what", "needs", "isOptional", "tried"],
  [
    "observations",
    "blockedBy",
    "missing",
    "reason",
    "findings",
    "moreFindings",
    "affectedExchanges",
    "partlyBlocked",
    "unseen",
    "behaviour",
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
  ["specification", "section", "text", "before", "marked", "after"],
  ["passed", "failed", "warned", "known-failure", "fixed"],
  ["not-tested", "not-applicable", "blocked"],
  ["address", "sha256", "differences"],
  ["probe", "url", "status", "bytes", "events", "matches", "firstMatchMicros", "durationMicros", "failure"],
].flat();
const ordered = inReadingOrder(readingOrder);

/**
 * The bytes of `verdicts.json`: indented by two spaces, members in a fixed order, one line feed at the end. Equal values give equal bytes.
 * Lone surrogates, and commands of terminals and build systems, are escaped.
 */
export const stringifyRunResult = (result: RunResult): string =>
  `${printableJson(JSON.stringify(result, ordered, 2))}\n`;
