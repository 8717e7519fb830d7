import type { ConversationMachine } from "@assay/contract";
import { currentMachine, legacyMachine } from "@assay/contract";
import { createHistoryChecker } from "../history-checker.ts";
import type { HistoryCheckerOptions } from "../history-checker.ts";
import type { HistoryFinding, HistoryReport } from "../history-report.ts";
import type { QuestionSnapshot, Read, Snapshot, Write } from "../observation.ts";

export type Observation = Read | Write;

/** Sending and end in milliseconds. Unless given, the exchange is named after its sending. */
export type At = readonly [sentMs: number, endedMs: number];

interface Extra {
  readonly exchange?: string;
  readonly session?: string;
  readonly conversation?: string;
}

const common = ([sentMs]: At, { exchange, session = "s", conversation = "c" }: Extra) => ({
  exchange: exchange ?? String(sentMs).padStart(4, "0"),
  session,
  conversation,
  sentAtMicros: sentMs * 1000,
});

/** An update time, in seconds after noon. */
export const stamp = (seconds: number): string =>
  `2025-06-01T12:00:${String(Math.floor(seconds)).padStart(2, "0")}${seconds % 1 === 0 ? "" : `.${String(Math.round((seconds % 1) * 1000)).padStart(3, "0")}`}Z`;

export type QuestionParts = Partial<Omit<QuestionSnapshot, "facts">> & { readonly facts?: readonly string[] };

export const question = ({ facts = [], ...parts }: QuestionParts): QuestionSnapshot => ({
  ...parts,
  facts: new Set(facts),
});

/**
 * A conversation of the current interface: its state, the second of its update, and its questions by text, answered if
 * completed.
 */
export interface CurrentParts extends Extra {
  readonly updated?: number;
  readonly texts?: readonly string[];
  readonly questions?: readonly QuestionParts[];
  readonly createdAt?: string;
}

function snapshotOf(state: string | undefined, { updated, texts, questions, createdAt }: CurrentParts): Snapshot {
  const all = questions ?? texts?.map((text) => ({ text, facts: state === "completed" ? ["answer"] : [] }));
  return {
    ...(state === undefined ? {} : { state }),
    ...(updated === undefined ? {} : { updatedAt: stamp(updated) }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(all === undefined ? {} : { questions: all.map(question) }),
  };
}

export const read = (at: At, state: string | undefined, parts: CurrentParts = {}): Read => ({
  kind: "read",
  ...common(at, parts),
  endedAtMicros: at[1] * 1000,
  snapshot: snapshotOf(state, parts),
});

/** A read of a legacy conversation. */
export const legacyRead = (at: At, questions: readonly QuestionParts[], parts: CurrentParts = {}): Read =>
  read(at, undefined, { ...parts, questions });

type WriteParts = Extra & { readonly text?: string; readonly snapshot?: Snapshot };

const write =
  (kind: Write["write"], outcome: Write["outcome"]) =>
  (at: At, { text, snapshot, ...extra }: WriteParts = {}): Write => ({
    kind: "write",
    write: kind,
    ...common(at, extra),
    ...(Number.isFinite(at[1]) ? { endedAtMicros: at[1] * 1000 } : {}),
    outcome,
    ...(text === undefined ? {} : { text }),
    ...(snapshot === undefined ? {} : { snapshot }),
  });

export const create = write("create", "accepted");
export const followUp = write("follow-up", "accepted");
export const unansweredFollowUp = (sentMs: number, parts: WriteParts = {}): Write =>
  write("follow-up", "unknown")([sentMs, Number.POSITIVE_INFINITY], parts);
export const refusedFollowUp = write("follow-up", "refused");
export const cancel = write("cancel", "accepted");
export const remove = write("delete", "accepted");
export const snapshot = snapshotOf;

export function reportOn(
  machine: ConversationMachine,
  history: readonly Observation[],
  options?: HistoryCheckerOptions,
): HistoryReport {
  const checker = createHistoryChecker(machine, options);
  for (const observation of history) {
    checker.observe(observation);
  }
  return checker.finish();
}

const labelOf = ({ code, gate, behaviour }: HistoryFinding): string =>
  [code, ...((gate ?? behaviour) ? [gate ?? behaviour] : [])].join(" ");

/** Codes found in a history, each with its gate or behaviour, sorted. */
export const codesOf = (
  machine: ConversationMachine,
  history: readonly Observation[],
  options?: HistoryCheckerOptions,
): readonly string[] => reportOn(machine, history, options).findings.map(labelOf).sort();

export const currentCodes = (...history: readonly Observation[]): readonly string[] => codesOf(currentMachine, history);
export const legacyCodes = (...history: readonly Observation[]): readonly string[] => codesOf(legacyMachine, history);
