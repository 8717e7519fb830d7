import { currentMachine } from "@assay/contract";
import { findViolatedFacts, findGate } from "./gate-facts.ts";
import { defineConversationCheck } from "../engine/define-conversation-check.ts";

const gate = findGate(currentMachine.gates, "completed-has-an-answer");

/**
 * The last question of a completed conversation has an answer. An answer before completion is allowed. Source:
 * conversation-api, section 3.2.
 */
export const currentCompletedHasAnAnswer = defineConversationCheck({
  id: "current/completed-has-an-answer",
  interface: "current",
  check({ state, questions }, report) {
    const lastQuestion = questions.at(-1);
    if (lastQuestion === undefined) {
      return;
    }
    const pointer = `${lastQuestion.pointer}/answer`;
    if (state === currentMachine.initial && lastQuestion.facts.has("answer")) {
      const message = "a conversation that is processing has an answer to its last question";
      report.note({ code: "current/answer-while-processing", message, pointer });
    }
    if (state !== gate.state) {
      return;
    }
    report.observation();
    for (const fact of findViolatedFacts(gate, lastQuestion.facts)) {
      const message = `the last question of a conversation that is \`${state}\` has no \`${fact}\``;
      report.violation({ message, pointer });
    }
  },
});
