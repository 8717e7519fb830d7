import type { ConversationRuleId } from "@assay/contract";
import { sameCall, workingCalls } from "./same-call.ts";
import { headerOf } from "../engine/asked.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { readAsked } from "../engine/read-asked.ts";
import { isBroken } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";

const headerName = "x-requested-with";

/** Whether nothing is wrong with a legacy request but its client header. */
function isGoodButForHeader({ record, operation }: ConversationCall): boolean {
  const headers = record.request.headers.filter(([name]) => name.toLowerCase() !== headerName);
  const request = { ...record.request, headers: [...headers, [headerName, "client 1"] as const] };
  return readAsked({ request, operation }, "legacy").hasGoodForm;
}

interface ClientHeaderRule {
  readonly id: ConversationRuleId;
  readonly isBad: (call: ConversationCall) => boolean;
  /** What the request came with, one clause. */
  readonly came: string;
}

/** A rule that a request with a bad client header is refused. A refusal counts where the same call succeeds with a good one. */
const badHeaderIsRefused = ({ id, isBad, came }: ClientHeaderRule): ConversationRule =>
  defineWitnessedRule({
    id,
    check(evidence, witness) {
      const works = workingCalls(evidence);
      const sent = evidence.calls.filter(
        (call) => call.interface === "legacy" && mayDoEverything(call.record.credential) && isBad(call),
      );
      for (const call of sent.filter(isGoodButForHeader)) {
        const subject = sameCall(call);
        if (call.answer.kind === "success") {
          witness.breaks(call, `${call.operation} ${came} was answered with ${call.answer.status}`, subject);
        } else if (works.has(subject) && (isBroken(call) || call.answer.kind === "elsewhere")) {
          witness.lacks(call, subject);
        } else if (works.has(subject)) {
          witness.holds(call, subject);
        }
      }
    },
  });

/** Every legacy request names its client. Source: conversation-api, section 5. */
export const xRequestedWithIsRequired = badHeaderIsRefused({
  id: "legacy/x-requested-with-is-required",
  isBad: ({ asked }) => !asked.hasClientHeader,
  came: "without `X-Requested-With`",
});

/** A client is named with its version; whether others are refused is not said. Source: conversation-api, section 5. */
export const xRequestedWithHasItsShape = badHeaderIsRefused({
  id: "legacy/x-requested-with-has-its-shape",
  isBad: ({ record }) => /^\S+$/.test((headerOf(record.request.headers, headerName) ?? "").trim()),
  came: "with an `X-Requested-With` of one word",
});

/** The current interface does without the header. Source: conversation-api, section 5. */
export const needsNoXRequestedWith = defineWitnessedRule({
  id: "current/needs-no-x-requested-with",
  check(evidence, witness) {
    const sent = evidence.calls.filter(
      ({ interface: name, asked, record }) =>
        name === "current" && asked.hasGoodForm && mayDoEverything(record.credential),
    );
    const succeeded = sent.filter(({ asked, answer }) => asked.hasClientHeader && answer.kind === "success");
    const works = new Set(succeeded.map(sameCall));
    for (const call of sent.filter(({ asked }) => !asked.hasClientHeader)) {
      const { answer } = call;
      if (answer.kind === "success") {
        witness.holds(call);
      } else if (isBroken(call)) {
        witness.lacks(call);
      } else if (answer.kind === "refused" && call.operation === "list" && works.has(sameCall(call))) {
        witness.breaks(
          call,
          `a list without \`X-Requested-With\` was refused with ${answer.status}, one with it was not`,
        );
      }
    }
  },
});
