import { ruleCatalogue } from "@assay/contract";
import { conversationRules } from "../all-rules.ts";
import type { ConversationRule } from "../conversation/engine/conversation-rule.ts";

/** Ids of the rules about conversations that reported a violation in a test of this worker, or a new value. */
export const broken = new Set<string>();

/** Ids of those that had an observation and reported none. */
export const held = new Set<string>();

/** Rules about open sets of values break nothing: that they note a new value is all they can say. */
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
      broken.add(id);
    } else if (observations > 0) {
      held.add(id);
    }
  };
}

for (const rule of conversationRules) {
  Object.assign(rule, { check: watched(rule) });
}
