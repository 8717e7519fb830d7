import { elementsOf, member, stringMember } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import { instantOf } from "@assay/state-machine";
import type { ReportFor } from "../engine/choices-once.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import { workedBetween, zoneMinutes } from "../engine/target-time.ts";
import type { TargetSpan } from "../engine/target-time.ts";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";
import { formatValue } from "../../engine/format-value.ts";

type Dated = Pick<ConversationView | QuestionView, "createdAt" | "updatedAt" | "json" | "pointer">;

/** What times have to fit, and where a departure is reported. */
interface Clock {
  readonly span: TargetSpan;
  readonly report: Reporter;
}

const keysOf = {
  legacy: { createdAt: ["created_at"], updatedAt: ["updated_at"] },
  current: { createdAt: ["createTime", "create_time"], updatedAt: ["updateTime", "update_time"] },
} as const;

/**
 * Looks for times of another zone: of conversations that the recording shows from their creation, times lie between the creation
 * and the answer, by the `Date` of both. Answers without `Date`, and other differences than those of zones, say nothing.
 */
export function checkShiftedTimes(
  evidence: ConversationEvidence,
  name: ConversationInterface,
  reportFor: ReportFor,
): void {
  for (const { create, calls } of evidence.threads(name)) {
    const created = create && workedBetween(create);
    for (const call of created === undefined ? [] : calls) {
      const answered = workedBetween(call);
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
    // What contradicts the turn of the same question is reported there.
    if (minutes !== undefined && (turn === undefined || zoneMinutes(micros, turn) === undefined)) {
      const key = keysOf[name][member].find((each) => stringMember(dated.json, each) === text) ?? member;
      report.violation(
        shiftedBy(minutes, { key, text, pointer: dated.pointer, than: "the clock of the target (`Date`)" }),
      );
    }
  }
}

/** When a user said what was asked, by the turn of a legacy question, which has whole Unix seconds. */
function turnSpan(question: unknown): TargetSpan | undefined {
  const turn = elementsOf(member(question, "turns")).find((each) => member(each, "role") === "user");
  const seconds = member(turn, "timestamp");
  return Number.isSafeInteger(seconds)
    ? { fromMicros: Number(seconds) * 1_000_000, toMicros: (Number(seconds) + 1) * 1_000_000 }
    : undefined;
}

/** Looks for a legacy question whose creation and turn of the user are a difference of zones apart. Source: conversation-api, section 2.2. */
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
  /** What it differs from. */
  readonly than: string;
}

function shiftedBy(minutes: number, { key, text, pointer, than }: ShiftedTime): FindingDraft {
  const hours = Math.abs(minutes) / 60;
  const by = `${hours} ${hours === 1 ? "hour" : "hours"} ${minutes < 0 ? "before" : "after"}`;
  return {
    message: `\`${key}\` is a time of another zone: \`${formatValue(text)}\` is ${by} ${than}`,
    code: "other-zone",
    argument: key,
    pointer: `${pointer}/${key}`,
  };
}
