import type { ConversationRuleId, UnspecifiedId } from "@assay/contract";
import { callObstacle } from "./call-obstacle.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { defineConversationRule } from "./conversation-rule.ts";
import type { ConversationRule } from "./conversation-rule.ts";
import type { FindingDraft, Reporter, BlockedBy } from "../../engine/reporter.ts";
import type { TargetFacts } from "../../engine/rule.ts";

/**
 * How a rule about calls speaks. A subject is what one answer shows as well as another, such as a conversation that is read
 * over and over [the empty text]: an answer that failed to come counts only where no other spoke of the same subject.
 */
export interface Witness {
  /** The rule could have been broken here, and was not. */
  holds(call: ConversationCall, subject?: string): void;
  /** The rule is broken; `message` is one sentence. */
  breaks(call: ConversationCall, message: string, subject?: string): void;
  /** Something the document leaves open was answered this way; the same is said once. */
  notes(call: ConversationCall, behaviour: UnspecifiedId, message: string): void;
  /** The rule would have needed this answer: it broke off, came from somewhere else, or the target was in distress. */
  lacks(call: ConversationCall, subject?: string): void;
  /** The run would have needed this, one clause; said only where the rule saw nothing at all. */
  needs(missing: string): void;
}

interface WitnessedRule {
  readonly id: ConversationRuleId;
  readonly excludes?: (target: TargetFacts) => string | undefined;
  readonly check: (evidence: ConversationEvidence, witness: Witness) => void;
}

/** A rule that counts what it sees, and says what kept it from seeing. */
export const defineWitnessedRule = ({ check, ...rule }: WitnessedRule): ConversationRule =>
  defineConversationRule({
    ...rule,
    check(evidence, reportFor) {
      const testimony = createTestimony(reportFor);
      check(evidence, testimony.witness);
      testimony.close();
    },
  });

function createTestimony(reportFor: (exchange: string) => Reporter): {
  readonly witness: Witness;
  readonly close: () => void;
} {
  const seen = new Set<string>();
  const noted = new Set<string>();
  const lacked = new Map<string, ConversationCall>();
  const needed: string[] = [];
  const see = (call: ConversationCall, subject: string): Reporter => {
    seen.add(subject);
    const report = reportFor(call.record.id);
    report.observation();
    return report;
  };
  const witness: Witness = {
    holds: (call, subject = "") => void see(call, subject),
    breaks: (call, message, subject = "") => see(call, subject).violation({ message, ...kindOf(call) }),
    notes(call, behaviour, message) {
      const key = `${behaviour} ${message}`;
      if (!noted.has(key)) {
        noted.add(key);
        reportFor(call.record.id).note({ message, code: behaviour });
      }
    },
    lacks(call, subject = "") {
      // What the checker's own limit cut off stays unseen, whatever other answers say.
      lacked.set(isCutOff(call) ? `limit of ${call.record.id}` : subject, call);
    },
    needs: (missing) => void needed.push(missing),
  };
  const close = (): void => {
    for (const [subject, call] of lacked) {
      if (!seen.has(subject)) {
        reportFor(call.record.id).blocked(obstacleOf(call));
      }
    }
    const [missing] = needed;
    if (missing !== undefined && seen.size === 0) {
      reportFor("").blocked({ kind: "prerequisite", missing });
    }
  };
  return { witness, close };
}

/** What tells a departure apart from others of its rule: how which operation was answered. */
function kindOf({ operation, asked, answer }: ConversationCall): Pick<FindingDraft, "code" | "argument"> {
  const parameters = [...asked.parameters.keys()].toSorted().join("+");
  const isAsking = operation === "create" || operation === "follow-up";
  const what = [
    operation,
    isAsking && asked.json === undefined ? "-without-json" : "",
    parameters === "" ? "" : `?${parameters}`,
    "status" in answer ? `:${answer.status}` : "",
  ];
  // Distress that breaks a rule is a refusal of this very request.
  const kinds: Readonly<Partial<Record<typeof answer.kind, string>>> = {
    success: "accepted",
    distress: "refused",
  };
  return { code: kinds[answer.kind] ?? answer.kind, argument: what.join("") };
}

const isCutOff = (call: ConversationCall): boolean => callObstacle(call)?.kind === "limit";

const obstacleOf = (call: ConversationCall): BlockedBy =>
  callObstacle(call) ?? {
    kind: "transport",
    missing:
      call.answer.kind === "elsewhere"
        ? `an answer to ${call.operation} from the service (${call.answer.status} came)`
        : `an answer to ${call.operation}`,
  };
