import type { UnspecifiedId } from "@assay/contract";
import { instantText } from "./instant.ts";
import { isBefore, seenOf } from "./witness.ts";
import type { Witness } from "./witness.ts";
import type { HistoryCode, HistoryFinding } from "./history-report.ts";

/** A finding before its sentence is written. */
export interface FindingDraft {
  readonly code: HistoryCode;
  readonly first: Witness;
  readonly second: Witness;
  /** Why the two do not go together, as the end of a sentence. */
  readonly because: string;
  /** What the values are of, with its article or number; nothing for the conversation. */
  readonly of?: string;
  readonly question?: number;
  readonly gate?: string;
  readonly behaviour?: UnspecifiedId;
  readonly staleMicros?: number;
  readonly promise?: "session" | "real-time";
}

/** Thousandths of a second with as many digits as are not zero. */
export const inMs = (micros: number): string => `${Number((micros / 1000).toFixed(3))} ms`;

const sentAt = ({ sentAtMicros }: Witness): string =>
  Number.isFinite(sentAtMicros) ? `sent ${inMs(sentAtMicros)}` : "sent at an unknown time";

const endedAt = ({ endedAtMicros }: Witness): string =>
  Number.isFinite(endedAtMicros) ? `answered ${inMs(endedAtMicros)}` : "answered at an unknown time";

const named = ({ kind, exchange }: Witness): string => `${kind} ${exchange}`;

const whole = (witness: Witness): string => `${named(witness)} (${sentAt(witness)}, ${endedAt(witness)})`;

/** The version that an observation showed, in words. */
export const versionOf = ({ updatedMicros, updatedUnitMicros }: Witness): string =>
  instantText({ micros: updatedMicros, unitMicros: updatedUnitMicros });

/** Both observations with what they showed and when, and why that is a finding. Times count from the start of the history. */
function sentence({ first, second, because, of }: FindingDraft): string {
  const shows = ({ value }: Witness): string => `shows ${of === undefined ? "" : `${of} `}${value}`;
  if (first === second) {
    return `${whole(first)} ${shows(first)}: ${because}`;
  }
  const later = isBefore(first, second) ? `${named(second)}, ${sentAt(second)},` : whole(second);
  return `${whole(first)} ${shows(first)}, ${later} ${shows(second)}: ${because}`;
}

/** Writes a finding out. */
export function findingOf(conversation: string, draft: FindingDraft): HistoryFinding {
  const { code, gate, behaviour, question, staleMicros, promise } = draft;
  return {
    code,
    ...(gate === undefined ? {} : { gate }),
    ...(behaviour === undefined ? {} : { behaviour }),
    conversation,
    ...(question === undefined ? {} : { question }),
    first: seenOf(draft.first),
    second: seenOf(draft.second),
    message: sentence(draft),
    ...(staleMicros === undefined ? {} : { staleMicros }),
    ...(promise === undefined ? {} : { promise }),
  };
}
