import { ruleCatalogue } from "@assay/contract";
import { conversationRules } from "../all-rules.ts";
import type { ConversationRule } from "../conversation/engine/conversation-rule.ts";

/** Ids of rules about conversations that reported a violation, or a new value, in a test of this worker. */
export const failedRuleIds = new Set<string>();

/** Ids of the rules about conversations that had an observation and no violation in a test of this worker. */
export const passedRuleIds = new Set<string>();

/** Rules about open sets only note new values, and never fail. */
const onlyNotes = new Set<string>(ruleCatalogue.filter(({ basis }) => basis === "observed").map(({ id }) => id));

function watched(rule: ConversationRule): ConversationRule["check"] {
  const { id } = rule;
  const check = rule.check.bind(rule);
  return (evidence, reportFor) => {
    let observations = 0;
    let violations = 0;
    check(evidence, (exchange) => {
      const report = reportFor(exchange);
      return {
        ...report,
        observation(count = 1) {
          observations += count;
          report.observation(count);
        },
        violation(finding) {
          violations += 1;
          report.violation(finding);
        },
        note(finding) {
          violations += onlyNotes.has(id) ? 1 : 0;
          report.note(finding);
        },
      };
    });
    if (violations > 0) {
      failedRuleIds.add(id);
    } else if (observations > 0) {
      passedRuleIds.add(id);
    }
  };
}

for (const rule of conversationRules) {
  Object.assign(rule, { check: watched(rule) });
}
