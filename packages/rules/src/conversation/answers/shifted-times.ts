import { elementsOf, member, stringMember } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import { instantOf } from "@assay/state-machine";
import type { ReportFor } from "../engine/notes-once.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import { serverSpan, zoneMinutes } from "../engine/target-time.ts";
import type { TargetSpan } from "../engine/target-time.ts";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";
import { formatValue } from "../../engine/format-value.ts";

type Dated = Pick<ConversationView | QuestionView, "createdAt" | "updatedAt" | "json" | "pointer">;

/** The time span that times must match, and the reporter for violations. */
interface Clock {
  readonly span: TargetSpan;
  readonly report: Reporter;
}

const keysOf = {
  legacy: { createdAt: ["created_at"], updatedAt: ["updated_at"] },
  current: { createdAt: ["createTime", "create_time"], updatedAt: ["updateTime", "update_time"] },
} as const;

/**
 * Finds times of another time zone. Times of conversations that the recording shows from their creation are between
 * the creation and the response, by the `Date` of both. Responses without `Date`, and differences that are not those
 * of time zones, are ignored.
 */
export function checkShiftedTimes(
  evidence: ConversationEvidence,
  name: ConversationInterface,
  reportFor: ReportFor,
): void {
  for (const { create, calls } of evidence.threads(name)) {
    const created = create && serverSpan(create);
    for (const call of created === undefined ? [] : calls) {
      const answered = serverSpan(call);
      const dated = [conversationView(call) ?? questionView(call)].flatMap((view) => (view ? withQuestions(view) : []));
      if (created !== undefined && answered !== undefined) {
        const span = { fromMicros: created.fromMicros, toMicros: answered.toMicros };
        dated.forEach((each) => checkTimes(each, name, { span, report: reportFor(call.record.id) }));
      }
    }
  }
}

const withQuestions = (view: ConversationView | QuestionView): readonly Dated[] => [
  view,
  ...("questions" in view ? view.questions : []),
];

function checkTimes(dated: Dated, name: ConversationInterface, { span, report }: Clock): void {
  const turn = turnSpan(dated.json);
  for (const member of ["createdAt", "updatedAt"] as const) {
    const text = dated[member];
    const { micros } = instantOf(text ?? "");
    if (text === undefined || Number.isNaN(micros)) {
      continue;
    }
    report.observation();
    const minutes = zoneMinutes(micros, span);
    // A contradiction to the turn of the same question is reported there.
    if (minutes !== undefined && (turn === undefined || zoneMinutes(micros, turn) === undefined)) {
      const key = keysOf[name][member].find((each) => stringMember(dated.json, each) === text) ?? member;
      report.violation(
        shiftedBy(minutes, { key, text, pointer: dated.pointer, than: "the clock of the target (`Date`)" }),
      );
    }
  }
}

/** When the user asked a legacy question, by its turn, in whole Unix seconds. */
function turnSpan(question: unknown): TargetSpan | undefined {
  const turn = elementsOf(member(question, "turns")).find((each) => member(each, "role") === "user");
  const seconds = member(turn, "timestamp");
  return Number.isSafeInteger(seconds)
    ? { fromMicros: Number(seconds) * 1_000_000, toMicros: (Number(seconds) + 1) * 1_000_000 }
    : undefined;
}

/**
 * Finds a legacy question whose creation time and turn of the user differ by a time zone. Source: conversation-api,
 * section 2.2.
 */
export function checkTurnTime({ createdAt = "", json, pointer }: QuestionView, report: Reporter): void {
  const turn = turnSpan(json);
  const minutes = turn && zoneMinutes(instantOf(createdAt).micros, turn);
  if (minutes !== undefined) {
    const than = "`timestamp` of the turn of the user, in Unix seconds";
    report.violation(shiftedBy(minutes, { key: "created_at", text: createdAt, pointer, than }));
  }
}

interface ShiftedTime {
  readonly key: string;
  readonly text: string;
  readonly pointer: string;
  /** The time that it differs from. */
  readonly than: string;
}

function shiftedBy(minutes: number, { key, text, pointer, than }: ShiftedTime): FindingDraft {
  const hours = Math.abs(minutes) / 60;
  const by = `${hours} ${hours === 1 ? "hour" : "hours"} ${minutes < 0 ? "before" : "after"}`;
  return {
    message: `\`${key}\` is in another time zone: \`${formatValue(text)}\` is ${by} ${than}`,
    code: "other-zone",
    argument: key,
    pointer: `${pointer}/${key}`,
  };
}
