import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { readAsked } from "../engine/read-asked.ts";
import { isTurnedAway } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { arrayMember } from "../engine/wire-member.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { isRecord, member } from "../../engine/json-value.ts";

/**
 * A creation without a question, or with a body that is not JSON, is a bad request. Where nothing succeeds a refusal says
 * nothing. Source: conversation-api, sections 4.1, 4.2 and 7.
 */
export const badRequestIsRefused = (name: ConversationInterface): ConversationRule =>
  defineWitnessedRule({
    id: `${name}/bad-request-is-refused`,
    check(evidence, witness) {
      for (const call of evidence.calls) {
        const flaw = call.interface === name && call.operation === "create" ? flawOf(call) : undefined;
        if (flaw !== undefined) {
          judgeCreation(evidence, witness, { call, flaw });
        }
      }
    },
  });

type Flaw = "without a question" | "with a body that is not JSON";

/** Larger bodies are not looked at: these may not have been read for their size. */
const maxBodyLength = 10_000;

/** What is wrong with the body of a creation, when that is certain. An empty question is not: it is a text as well. */
function flawOf({ interface: name, asked: { json }, record }: ConversationCall): Flaw | undefined {
  const body = (record.request.body ?? "").trim();
  const isKnown = mayDoEverything(record.credential) || (record.credential === "unknown" && body !== "");
  if (!isKnown || body.length > maxBodyLength) {
    return undefined;
  }
  if (json === undefined) {
    return body === "" ? "without a question" : "with a body that is not JSON";
  }
  return isRecord(json) && !hasQuestion(json, name) ? "without a question" : undefined;
}

const hasQuestion = (json: unknown, name: ConversationInterface): boolean =>
  name === "legacy"
    ? member(json, "question") !== undefined
    : arrayMember(member(json, "conversation"), "questions").length > 0;

const goodBodies = {
  legacy: { question: "Where?" },
  current: { conversation: { questions: [{ input: [{ question: { text: "Where?" } }] }] } },
} as const;

/** Whether nothing is wrong with a request but its body. */
function isGoodButForBody({ record, interface: name, operation }: ConversationCall): boolean {
  const request = { ...record.request, body: JSON.stringify(goodBodies[name]) };
  return readAsked({ request, operation }, name).hasGoodForm;
}

interface FlawedCreation {
  readonly call: ConversationCall;
  readonly flaw: Flaw;
}

function judgeCreation(evidence: ConversationEvidence, witness: Witness, { call, flaw }: FlawedCreation): void {
  const { answer } = call;
  if (answer.kind === "success") {
    witness.breaks(call, `a creation ${flaw} was answered with ${answer.status}`, flaw);
  } else if (isGoodButForBody(call) && isTelling(evidence, call)) {
    judgeRefusedCreation(witness, { call, flaw });
  }
}

/**
 * Whether the token of a creation is shown to be good for it: where it creates something, or, without being turned away here,
 * does anything else. A legacy token that does anything may do everything.
 */
const isTelling = ({ calls }: ConversationEvidence, call: ConversationCall): boolean =>
  calls.some(
    (other) =>
      other.interface === call.interface &&
      other.record.credential === call.record.credential &&
      other.answer.kind === "success" &&
      (other.operation === "create" || call.interface === "legacy" || !isTurnedAway(call)),
  );

function judgeRefusedCreation(witness: Witness, { call, flaw }: FlawedCreation): void {
  const { answer } = call;
  if (answer.kind !== "refused") {
    witness.lacks(call, flaw);
  } else if (answer.status !== 400 && call.interface === "legacy") {
    witness.breaks(call, `a creation ${flaw} was refused with ${answer.status} instead of 400`, flaw);
  } else {
    witness.holds(call, flaw);
  }
}
