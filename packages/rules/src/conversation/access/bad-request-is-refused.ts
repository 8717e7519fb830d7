import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { parseRequest } from "../engine/parse-request.ts";
import { findOwnConversation } from "../engine/created-conversations.ts";
import { failsEachTime, isRefusedOrRedirected } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { arrayMember, isRecord, member } from "@assay/reading";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";

/**
 * A creation is a bad request if it has no question, a question that is not a string, or a body that is not JSON. So is
 * a legacy follow-up without a question. If nothing ever succeeds, a refusal proves nothing. Source: conversation-api,
 * sections 4.1, 4.2 and 7.
 */
export const badRequestIsRefused = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/bad-request-is-refused`,
    check(evidence, reporter) {
      for (const call of evidence.calls) {
        const problem =
          call.interface === interfaceName && isCheckedCall(evidence, call) ? findBodyProblem(call) : undefined;
        if (problem !== undefined) {
          judgeBadRequest(evidence, reporter, { call, problem });
        }
      }
    },
  }),
);

/**
 * Reports whether the call is a creation, or a legacy follow-up with matching ids in an existing conversation of the
 * same user.
 */
const isCheckedCall = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.operation === "create" ||
  (call.operation === "follow-up" &&
    call.interface === "legacy" &&
    call.request.bodyConversationId === call.request.conversationId &&
    findOwnConversation(evidence, call) !== undefined);

type BodyProblem = "without a question" | "with a question that is not text" | "with a body that is not JSON";

/** Larger bodies are ignored, because they may be refused for their size. */
const maxBodyLength = 10_000;

/** Describes what is wrong with the body of a creation, if anything. An empty question is allowed: it is a string. */
export function findBodyProblem({
  interface: interfaceName,
  request: { json },
  record,
}: ConversationCall): BodyProblem | undefined {
  const body = (record.request.body ?? "").trim();
  const hasKnownAccess = hasFullAccess(record.credential) || (record.credential === "unknown" && body !== "");
  if (!hasKnownAccess || body.length > maxBodyLength) {
    return undefined;
  }
  if (json === undefined) {
    return body === "" ? "without a question" : "with a body that is not JSON";
  }
  if (!isRecord(json)) {
    return undefined;
  }
  if (!hasQuestion(json, interfaceName)) {
    return "without a question";
  }
  const text = readQuestion(json, interfaceName);
  return text === undefined || typeof text === "string" ? undefined : "with a question that is not text";
}

/** Returns the value sent as the question text. */
function readQuestion(json: unknown, interfaceName: ConversationInterface): unknown {
  if (interfaceName === "legacy") {
    return member(json, "question");
  }
  const [question] = arrayMember(member(json, "conversation"), "questions");
  const [input] = arrayMember(question, "input");
  return member(member(input, "question"), "text");
}

const hasQuestion = (json: unknown, interfaceName: ConversationInterface): boolean =>
  interfaceName === "legacy"
    ? member(json, "question") !== undefined
    : arrayMember(member(json, "conversation"), "questions").length > 0;

const validBodies = {
  legacy: { question: "Where?" },
  current: { conversation: { questions: [{ input: [{ question: { text: "Where?" } }] }] } },
} as const;

/** Reports whether a request is valid except for its body. */
function isValidExceptBody({ record, interface: interfaceName, operation, request }: ConversationCall): boolean {
  const validBody = JSON.stringify(validBodies[interfaceName]);
  const idDigits = /^\d+$/u.test(request.conversationId ?? "") ? request.conversationId : "null";
  const idMember = operation === "follow-up" ? `"conversation_id":${idDigits},` : "";
  return parseRequest(
    { request: { ...record.request, body: `{${idMember}${validBody.slice(1)}` }, operation },
    interfaceName,
  ).isWellFormed;
}

interface BadRequest {
  readonly call: ConversationCall;
  readonly problem: BodyProblem;
}

const describeOperation = ({ operation }: ConversationCall): string =>
  operation === "create" ? "a creation" : "a follow-up";

function judgeBadRequest(evidence: ConversationEvidence, reporter: CallReporter, { call, problem }: BadRequest): void {
  const { response } = call;
  const subject = `${call.operation} ${problem}`;
  if (response.kind === "success") {
    reporter.fails(call, `${describeOperation(call)} ${problem} returned ${response.status}`, subject);
  } else if (response.kind === "server-failure" && isValidExceptBody(call) && failsEachTime(evidence, call)) {
    judgeStatus(reporter, { call, problem }, response.status);
  } else if (isValidExceptBody(call) && isTokenPermitted(evidence, call)) {
    judgeRefusal(reporter, { call, problem });
  }
}

/**
 * Reports whether the evidence shows that the token permits a creation: it has created a conversation, or was accepted
 * for another operation and is not refused here. A legacy token that permits any operation permits all.
 */
const isTokenPermitted = ({ calls }: ConversationEvidence, call: ConversationCall): boolean =>
  calls.some(
    (other) =>
      other.interface === call.interface &&
      other.record.credential === call.record.credential &&
      other.response.kind === "success" &&
      (other.operation === "create" || call.interface === "legacy" || !isRefusedOrRedirected(call)),
  );

function judgeRefusal(reporter: CallReporter, { call, problem }: BadRequest): void {
  const { response } = call;
  if (response.kind === "refused") {
    judgeStatus(reporter, { call, problem }, response.status);
  } else {
    reporter.lacksResponse(call, `${call.operation} ${problem}`);
  }
}

/** Judges the status of a refusal. The current interface does not specify one. */
function judgeStatus(reporter: CallReporter, { call, problem }: BadRequest, status: number): void {
  const subject = `${call.operation} ${problem}`;
  if (status !== 400 && call.interface === "legacy") {
    reporter.fails(call, `${describeOperation(call)} ${problem} was refused with ${status} instead of 400`, subject);
  } else {
    reporter.passes(call, subject);
  }
}
