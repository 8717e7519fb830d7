import type { ConversationRuleId, UnspecifiedId } from "@assay/contract";
import { callBlock } from "./call-block.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { defineConversationRule } from "./conversation-rule.ts";
import type { ConversationRule } from "./conversation-rule.ts";
import type { FindingDraft, Reporter, BlockedBy } from "../../engine/reporter.ts";
import type { TargetFacts } from "../../engine/rule.ts";

/**
 * Receives the results of a rule about calls. A subject is a fact that several responses can show, such as a polled
 * conversation [the empty string]. A missing response only blocks the rule if no other response reported on the same
 * subject.
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
  misses(call: ConversationCall, subject?: string): void;
  /** Records, as one clause, what the run would have needed. Reported only if the rule was never checked. */
  needs(missing: string): void;
}

interface CallRule {
  readonly id: ConversationRuleId;
  readonly excludes?: (target: TargetFacts) => string | undefined;
  readonly check: (evidence: ConversationEvidence, reporter: CallReporter) => void;
}

/** Defines a rule that reports on individual calls. */
export const defineCallRule = ({ check, ...rule }: CallRule): ConversationRule =>
  defineConversationRule({
    ...rule,
    check(evidence, reportFor) {
      const calls = createCallReporter(reportFor);
      check(evidence, calls.reporter);
      calls.close();
    },
  });

function createCallReporter(reportFor: (exchange: string) => Reporter): {
  readonly reporter: CallReporter;
  readonly close: () => void;
} {
  const reportedKinds = new Set<string>();
  const noted = new Set<string>();
  const missing = new Map<string, ConversationCall>();
  const needed: string[] = [];
  const see = (call: ConversationCall, subject: string): Reporter => {
    reportedKinds.add(subject);
    const report = reportFor(call.record.id);
    report.observation();
    return report;
  };
  const reporter: CallReporter = {
    passes: (call, subject = "") => void see(call, subject),
    fails: (call, message, subject = "") => see(call, subject).violation({ message, ...describeCallKind(call) }),
    notes(call, behaviour, message) {
      const key = `${behaviour} ${message}`;
      if (!noted.has(key)) {
        noted.add(key);
        reportFor(call.record.id).note({ message, code: behaviour });
      }
    },
    misses(call, subject = "") {
      // A response above the checker's own limits remains unknown even if other responses were checked.
      missing.set(isCutOff(call) ? `limit of ${call.record.id}` : subject, call);
    },
    needs: (missing) => void needed.push(missing),
  };
  const close = (): void => {
    for (const [subject, call] of missing) {
      if (!reportedKinds.has(subject)) {
        reportFor(call.record.id).blocked(blockOf(call));
      }
    }
    const [need] = needed;
    if (need !== undefined && reportedKinds.size === 0) {
      reportFor("").blocked({ kind: "prerequisite", missing: need });
    }
  };
  return { reporter, close };
}

/** The code and argument of a violation: the operation and its response. */
function describeCallKind({ operation, request, response }: ConversationCall): Pick<FindingDraft, "code" | "argument"> {
  const parameters = [...request.parameters.keys()].toSorted().join("+");
  const isAsking = operation === "create" || operation === "follow-up";
  const parts = [
    operation,
    isAsking && request.json === undefined ? "-without-json" : "",
    parameters === "" ? "" : `?${parameters}`,
    "status" in response ? `:${response.status}` : "",
  ];
  // A violation with status 500 or above is reported as a refusal of this request.
  const kinds: Readonly<Partial<Record<typeof response.kind, string>>> = {
    success: "accepted",
    "server-failure": "refused",
    "not-api": "elsewhere",
  };
  return { code: kinds[response.kind] ?? response.kind, argument: parts.join("") };
}

const isCutOff = (call: ConversationCall): boolean => callBlock(call)?.kind === "limit";

const blockOf = (call: ConversationCall): BlockedBy =>
  callBlock(call) ?? {
    kind: "transport",
    missing:
      call.response.kind === "not-api"
        ? `a response to ${call.operation} from the service instead of ${call.response.status}`
        : `a response to ${call.operation}`,
  };
