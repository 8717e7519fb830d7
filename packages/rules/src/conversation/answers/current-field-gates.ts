import { currentMachine } from "@assay/contract";
import type { ConversationRuleId } from "@assay/contract";
import { departingFacts, gateNamed } from "./gate-facts.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { eachConversation } from "../engine/each-conversation.ts";

/** A rule about what the last question has while its conversation is in a state. */
const fieldGate = (id: ConversationRuleId, name: string): ConversationRule => {
  const gate = gateNamed(currentMachine.gates, name);
  return eachConversation({
    id,
    interface: "current",
    check({ state, questions }, report) {
      const last = questions.at(-1);
      if (last === undefined || state !== gate.state) {
        return;
      }
      report.observe();
      for (const fact of departingFacts(gate, last.facts)) {
        report.violation({
          message: `the last question of a conversation that is \`${state}\` has ${last.facts.has(fact) ? "an" : "no"} \`${fact}\``,
          pointer: `${last.pointer}/${fact}`,
        });
      }
    },
  });
};

/** Earlier questions keep theirs. Source: conversation-api, section 3.2. */
export const currentNoAnswerWhileProcessing = fieldGate(
  "current/no-answer-while-processing",
  "no-answer-while-processing",
);

/** Source: conversation-api, section 3.2. */
export const currentCompletedHasAnAnswer = fieldGate("current/completed-has-an-answer", "completed-has-an-answer");
