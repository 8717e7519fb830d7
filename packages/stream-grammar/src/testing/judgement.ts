import { eventNames } from "@assay/contract";
import type { StreamLimits } from "../index.ts";
import { checkStream } from "./check-stream.ts";
import type { Checked } from "./check-stream.ts";

type Tally = Readonly<Record<string, number>>;

/** The result that every implementation of the checker must produce for a stream. */
export interface Judgement {
  readonly bytes: number;
  /** Number of events delivered. In tallies by name, unlisted names are counted as `other`. */
  readonly events: number;
  readonly eventNames: Tally;
  /** Number of elements in all arrays of `matches`. */
  readonly matches: number;
  /** Index of the first non-empty `matches` event, or -1. */
  readonly firstMatchEvent: number;
  readonly violations: Tally;
  /** Distinct details of each observation. */
  readonly observations: Tally;
}

const tally = (names: readonly string[]): Tally =>
  Object.fromEntries([...new Set(names)].sort().map((name) => [name, names.filter((other) => other === name).length]));

const codes = ({ findings }: Checked, kind: "violation" | "note"): Tally =>
  tally(findings.filter((finding) => finding.kind === kind).map(({ code }) => code));

const listed: ReadonlySet<string> = new Set(eventNames);

export function judgement(bytes: Buffer, limits: Partial<StreamLimits> = {}): Judgement {
  const checked = checkStream([bytes], limits);
  const { events } = checked;
  const found = events
    .filter(({ name }) => name === "matches")
    .map(({ index, value }) => ({ index, count: Array.isArray(value) ? value.length : 0 }))
    .filter(({ count }) => count > 0);
  return {
    bytes: bytes.length,
    events: events.length,
    eventNames: tally(events.map(({ name }) => (listed.has(name) ? name : "other"))),
    matches: found.reduce((sum, { count }) => sum + count, 0),
    firstMatchEvent: found[0]?.index ?? -1,
    violations: codes(checked, "violation"),
    observations: codes(checked, "note"),
  };
}
