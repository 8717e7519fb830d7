import { counted } from "@assay/contract";
import { elementsOf, member, stringMember } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import { parseInstant } from "@assay/state-machine";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import { serverSpan, zoneMinutes } from "../engine/target-time.ts";
import type { TargetSpan } from "../engine/target-time.ts";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";
import { formatValue } from "../../engine/format-value.ts";

type ViewWithTimes = Pick<ConversationView | QuestionView, "createdAt" | "updatedAt" | "json" | "pointer">;

/** The time span that times must match, and the reporter for violations. */
interface TimeCheck {
  readonly span: TargetSpan;
  readonly report: Reporter;
}

const timeMembers = {
  legacy: { createdAt: ["created_at"], updatedAt: ["updated_at"] },
  current: { createdAt: ["createTime", "create_time"], updatedAt: ["updateTime", "update_time"] },
} as const;

/**
 * Finds times in a different time zone. If the recording contains the creation of a conversation, the times of the
 * conversation must be between the creation and the response, according to the `Date` of both. Responses without
 * `Date`, and differences that are not those of time zones, are ignored.
 */
export function checkShiftedTimes(
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
  reportFor: ReportFor,
): void {
  for (const { create, calls } of evidence.conversationsOf(interfaceName)) {
    const creationSpan = create && serverSpan(create);
    for (const call of creationSpan === undefined ? [] : calls) {
      const responseSpan = serverSpan(call);
      const views = [conversationView(call) ?? questionView(call)].flatMap((view) => (view ? withQuestions(view) : []));
      if (creationSpan !== undefined && responseSpan !== undefined) {
        const span = { fromMicros: creationSpan.fromMicros, toMicros: responseSpan.toMicros };
        views.forEach((view) => checkTimes(view, interfaceName, { span, report: reportFor(call.record.id) }));
      }
    }
  }
}

const withQuestions = (view: ConversationView | QuestionView): readonly ViewWithTimes[] => [
  view,
  ...("questions" in view ? view.questions : []),
];

function checkTimes(view: ViewWithTimes, interfaceName: ConversationInterface, { span, report }: TimeCheck): void {
  const turnSpan = readTurnSpan(view.json);
  for (const timeName of ["createdAt", "updatedAt"] as const) {
    const text = view[timeName];
    const { micros } = parseInstant(text ?? "");
    if (text === undefined || Number.isNaN(micros)) {
      continue;
    }
    report.observation();
    const minutes = zoneMinutes(micros, span);
    // If the time also contradicts the turn of the same question, `checkTurnTime` reports it.
    if (minutes !== undefined && (turnSpan === undefined || zoneMinutes(micros, turnSpan) === undefined)) {
      const key =
        timeMembers[interfaceName][timeName].find((name) => stringMember(view.json, name) === text) ?? timeName;
      report.violation(
        describeShift(minutes, { key, text, pointer: view.pointer, reference: "the clock of the target (`Date`)" }),
      );
    }
  }
}

/** Returns the time at which the user asked a legacy question, from the user's turn, in whole Unix seconds. */
function readTurnSpan(question: unknown): TargetSpan | undefined {
  const userTurn = elementsOf(member(question, "turns")).find((turn) => member(turn, "role") === "user");
  const seconds = member(userTurn, "timestamp");
  return Number.isSafeInteger(seconds)
    ? { fromMicros: Number(seconds) * 1_000_000, toMicros: (Number(seconds) + 1) * 1_000_000 }
    : undefined;
}

/**
 * Finds a legacy question whose creation time differs from the user's turn by a time zone. Source: conversation-api,
 * section 2.2.
 */
export function checkTurnTime({ createdAt = "", json, pointer }: QuestionView, report: Reporter): void {
  const turnSpan = readTurnSpan(json);
  const minutes = turnSpan && zoneMinutes(parseInstant(createdAt).micros, turnSpan);
  if (minutes !== undefined) {
    const reference = "the `timestamp` of the user's turn, in Unix seconds";
    report.violation(describeShift(minutes, { key: "created_at", text: createdAt, pointer, reference }));
  }
}

interface ShiftedTime {
  readonly key: string;
  readonly text: string;
  readonly pointer: string;
  /** The time that it is compared with. */
  readonly reference: string;
}

function describeShift(minutes: number, { key, text, pointer, reference }: ShiftedTime): FindingDraft {
  const hours = Math.abs(minutes) / 60;
  const difference = `${counted(hours, "hour")} ${minutes < 0 ? "before" : "after"}`;
  return {
    message: `\`${key}\` is in a different time zone: \`${formatValue(text)}\` is ${difference} ${reference}`,
    code: "other-zone",
    argument: key,
    pointer: `${pointer}/${key}`,
  };
}
