import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { readAsked } from "../engine/read-asked.ts";
import { ownConversation } from "../engine/own-conversations.ts";
import { failsEachTime, isRefusedOrRedirected } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { arrayMember, isRecord, member } from "@assay/reading";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";

/**
 * A creation without a question, with one that is not text, or with a body that is not JSON, is a bad request; so is
 * a legacy follow-up without a question. If nothing ever succeeds, a refusal proves nothing. Source:
 * conversation-api, sections 4.1, 4.2 and 7.
 */
export const badRequestIsRefused = inBothInterfaces((name) =>
  defineCallRule({
    id: `${name}/bad-request-is-refused`,
    check(evidence, reporter) {
      for (const call of evidence.calls) {
        const flaw = call.interface === name && isAsking(evidence, call) ? flawOf(call) : undefined;
        if (flaw !== undefined) {
          judgeAsking(evidence, reporter, { call, flaw });
        }
      }
    },
  }),
);

/** A creation, or a legacy follow-up with the right id in an existing conversation of the same user. */
const isAsking = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.operation === "create" ||
  (call.operation === "follow-up" &&
    call.interface === "legacy" &&
    call.asked.bodyConversation === call.asked.conversation &&
    ownConversation(evidence, call) !== undefined);

type Flaw = "without a question" | "with a question that is no text" | "with a body that is not JSON";

/** Larger bodies are ignored: they may be refused because of their size. */
const maxBodyLength = 10_000;

/** The certain flaw of the body of a creation. An empty question is not one: it is also text. */
export function flawOf({ interface: name, asked: { json }, record }: ConversationCall): Flaw | undefined {
  const body = (record.request.body ?? "").trim();
  const isKnown = mayDoEverything(record.credential) || (record.credential === "unknown" && body !== "");
  if (!isKnown || body.length > maxBodyLength) {
    return undefined;
  }
  if (json === undefined) {
    return body === "" ? "without a question" : "with a body that is not JSON";
  }
  if (!isRecord(json)) {
    return undefined;
  }
  if (!hasQuestion(json, name)) {
    return "without a question";
  }
  const text = questionOf(json, name);
  return text === undefined || typeof text === "string" ? undefined : "with a question that is no text";
}

/** The value in place of the question text. */
function questionOf(json: unknown, name: ConversationInterface): unknown {
  if (name === "legacy") {
    return member(json, "question");
  }
  const [first] = arrayMember(member(json, "conversation"), "questions");
  const [input] = arrayMember(first, "input");
  return member(member(input, "question"), "text");
}

const hasQuestion = (json: unknown, name: ConversationInterface): boolean =>
  name === "legacy"
    ? member(json, "question") !== undefined
    : arrayMember(member(json, "conversation"), "questions").length > 0;

const goodBodies = {
  legacy: { question: "Where?" },
  current: { conversation: { questions: [{ input: [{ question: { text: "Where?" } }] }] } },
} as const;

/** Whether a request is valid except for its body. */
function isGoodButForBody({ record, interface: name, operation, asked }: ConversationCall): boolean {
  const good = JSON.stringify(goodBodies[name]);
  const digits = /^\d+$/u.test(asked.conversation ?? "") ? asked.conversation : "null";
  const id = operation === "follow-up" ? `"conversation_id":${digits},` : "";
  const request = { ...record.request, body: `{${id}${good.slice(1)}` };
  return readAsked({ request, operation }, name).hasGoodForm;
}

interface FlawedAsking {
  readonly call: ConversationCall;
  readonly flaw: Flaw;
}

const operationName = ({ operation }: ConversationCall): string =>
  operation === "create" ? "a creation" : "a follow-up";

function judgeAsking(evidence: ConversationEvidence, reporter: CallReporter, { call, flaw }: FlawedAsking): void {
  const { answer } = call;
  const subject = `${call.operation} ${flaw}`;
  if (answer.kind === "success") {
    reporter.fails(call, `${operationName(call)} ${flaw} was answered with ${answer.status}`, subject);
  } else if (answer.kind === "distress" && isGoodButForBody(call) && failsEachTime(evidence, call)) {
    judgeStatus(reporter, { call, flaw }, answer.status);
  } else if (isGoodButForBody(call) && isTokenGood(evidence, call)) {
    judgeRefusal(reporter, { call, flaw });
  }
}

/**
 * Whether the token of a creation is known to permit it: it creates something, or succeeds at anything else without
 * being refused here. A legacy token that permits anything permits everything.
 */
const isTokenGood = ({ calls }: ConversationEvidence, call: ConversationCall): boolean =>
  calls.some(
    (other) =>
      other.interface === call.interface &&
      other.record.credential === call.record.credential &&
      other.answer.kind === "success" &&
      (other.operation === "create" || call.interface === "legacy" || !isRefusedOrRedirected(call)),
  );

function judgeRefusal(reporter: CallReporter, { call, flaw }: FlawedAsking): void {
  const { answer } = call;
  if (answer.kind === "refused") {
    judgeStatus(reporter, { call, flaw }, answer.status);
  } else {
    reporter.misses(call, `${call.operation} ${flaw}`);
  }
}

/** The current interface has no specified status for refusals. */
function judgeStatus(reporter: CallReporter, { call, flaw }: FlawedAsking, status: number): void {
  const subject = `${call.operation} ${flaw}`;
  if (status !== 400 && call.interface === "legacy") {
    reporter.fails(call, `${operationName(call)} ${flaw} was refused with ${status} instead of 400`, subject);
  } else {
    reporter.passes(call, subject);
  }
}
