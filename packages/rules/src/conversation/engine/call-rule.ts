import type { ConversationRuleId, UnspecifiedId } from "@assay/contract";
import { reasonForUnusable } from "./reason-for-unusable.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { defineConversationRule } from "./conversation-rule.ts";
import type { ConversationRule } from "./conversation-rule.ts";
import type { FindingDraft, Reporter, BlockedBy } from "../../engine/reporter.ts";
import type { TargetFacts } from "../../engine/rule.ts";

/**
 * Receives the results of a rule about calls. A subject is a fact that several responses can show, such as the state of
 * a polled conversation [the empty string]. A missing response only blocks the rule if no other response reported on
 * the same subject.
 */
export interface CallReporter {
  /** Records that the rule was checked on this call and did not fail. */
  passes(call: ConversationCall, subject?: string): void;
  /** Records a failure. `message` is one sentence. */
  fails(call: ConversationCall, message: string, subject?: string): void;
  /** Records unspecified behaviour. Each message is recorded once. */
  notes(call: ConversationCall, behaviour: UnspecifiedId, message: string): void;
  /**
   * Records that the rule needed this response, but it was incomplete, did not come from the API, or the target was
   * failing.
   */
  lacksResponse(call: ConversationCall, subject?: string): void;
  /** Records, as one clause, what the run would have needed. Reported only if the rule was never checked. */
  needs(missing: string): void;
}

interface CallRule {
  readonly id: ConversationRuleId;
  readonly exclusionReason?: (target: TargetFacts) => string | undefined;
  readonly check: (evidence: ConversationEvidence, reporter: CallReporter) => void;
}

/** Defines a rule that reports on individual calls. */
export const defineCallRule = ({ check, ...rule }: CallRule): ConversationRule =>
  defineConversationRule({
    ...rule,
    check(evidence, reportFor) {
      const { reporter, reportBlocked } = createCallReporter(reportFor);
      check(evidence, reporter);
      reportBlocked();
    },
  });

function createCallReporter(reportFor: (exchange: string) => Reporter): {
  readonly reporter: CallReporter;
  /** Reports missing responses and prerequisites. Called once, after the check. */
  readonly reportBlocked: () => void;
} {
  const checkedSubjects = new Set<string>();
  const notedKeys = new Set<string>();
  const missingResponses = new Map<string, ConversationCall>();
  const missingPrerequisites: string[] = [];
  const recordObservation = (call: ConversationCall, subject: string): Reporter => {
    checkedSubjects.add(subject);
    const report = reportFor(call.record.id);
    report.observation();
    return report;
  };
  const reporter: CallReporter = {
    passes: (call, subject = "") => void recordObservation(call, subject),
    fails: (call, message, subject = "") =>
      recordObservation(call, subject).violation({ message, ...describeCallKind(call) }),
    notes(call, behaviour, message) {
      const key = `${behaviour} ${message}`;
      if (!notedKeys.has(key)) {
        notedKeys.add(key);
        reportFor(call.record.id).note({ message, code: behaviour });
      }
    },
    lacksResponse(call, subject = "") {
      // A response above the checker's own limits remains unknown even if other responses were checked.
      missingResponses.set(exceedsLimit(call) ? `limit of ${call.record.id}` : subject, call);
    },
    needs: (missing) => void missingPrerequisites.push(missing),
  };
  const reportBlocked = (): void => {
    for (const [subject, call] of missingResponses) {
      if (!checkedSubjects.has(subject)) {
        reportFor(call.record.id).blocked(reasonForMissingResponse(call));
      }
    }
    const [prerequisite] = missingPrerequisites;
    if (prerequisite !== undefined && checkedSubjects.size === 0) {
      reportFor("").blocked({ kind: "prerequisite", missing: prerequisite });
    }
  };
  return { reporter, reportBlocked };
}

/** Returns the code of a violation, and the operation and status as its argument. */
function describeCallKind({ operation, request, response }: ConversationCall): Pick<FindingDraft, "code" | "argument"> {
  const parameters = [...request.parameters.keys()].toSorted().join("+");
  const asksQuestion = operation === "create" || operation === "follow-up";
  const parts = [
    operation,
    asksQuestion && request.json === undefined ? "-without-json" : "",
    parameters === "" ? "" : `?${parameters}`,
    "status" in response ? `:${response.status}` : "",
  ];
  // A violation with status 500 or above is reported as a refusal of this request.
  const codes: Readonly<Partial<Record<typeof response.kind, string>>> = {
    success: "accepted",
    "server-failure": "refused",
    "not-api": "elsewhere",
  };
  return { code: codes[response.kind] ?? response.kind, argument: parts.join("") };
}

const exceedsLimit = (call: ConversationCall): boolean => reasonForUnusable(call)?.kind === "limit";

const reasonForMissingResponse = (call: ConversationCall): BlockedBy =>
  reasonForUnusable(call) ?? {
    kind: "transport",
    missing:
      call.response.kind === "not-api"
        ? `a response to ${call.operation} from the service instead of ${call.response.status}`
        : `a response to ${call.operation}`,
  };
