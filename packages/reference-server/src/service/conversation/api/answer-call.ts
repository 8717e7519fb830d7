import { defined } from "@assay/contract";
import { identify } from "../../access.ts";
import { recordExchange } from "../../http/exchange.ts";
import type { Exchange } from "../../http/exchange.ts";
import { connectionOrigin } from "../../http/request-trace.ts";
import { journalCall } from "../../../journal/journal-call.ts";
import { isPayloadObject } from "../../payload.ts";
import type { ConversationPorts, Wire } from "../../ports.ts";
import { hash32 } from "../../seeded-random.ts";
import { parseConversationName } from "../current/resource-name.ts";
import { currentHandlers } from "../current/current-handlers.ts";
import { legacyHandlers } from "../legacy/legacy-handlers.ts";
import { decideApiAccess } from "./api-access.ts";
import type { ApiAccess } from "./api-access.ts";
import type { ApiAnswer } from "./api-answer.ts";
import type { ApiCall } from "./api-call.ts";
import type { ApiService } from "./api-service.ts";
import type { CallHandler, HandledCall } from "./call-handler.ts";
import { readBody } from "./read-body.ts";
import type { BodyResult } from "./read-body.ts";
import { readJson } from "./read-json.ts";
import type { JsonResult } from "./read-json.ts";
import { createAccessRefusal, createBodyRefusal, createServerFailure, checkProtocol } from "./refusals.ts";
import type { CallRoute } from "./route-call.ts";
import { sendAnswer } from "./send-answer.ts";
import type { CallHooks } from "../conversation-service.ts";

const createCallHooks = (ports: ConversationPorts, call: ApiCall): CallHooks => ({
  isVisible: (isVisible, conversation) => ports.isVisible(isVisible, conversation, call),
  shouldPerform: (act) => ports.shouldPerform(act, call),
  creationCount: (count) => ports.creationCount(count, call),
  newId: () => ports.newId(undefined, call),
  list: (query) => ports.list(query, call),
  immediateOutcome: (question) => ports.immediateOutcome(question, call),
  page: (page) => ports.page(page, call),
  finalOutcome: ports.finalOutcome,
});

/** A call with its parsed body. */
interface ParsedCall {
  readonly call: ApiCall;
  readonly body: BodyResult;
  readonly json: JsonResult | undefined;
  readonly ports: ConversationPorts;
}

/** Legacy operations whose requests have a body. In the current interface all requests have one. */
const hasBody = ({ interface: name, operation }: CallRoute): boolean =>
  name === "current" || operation === "create" || operation === "follow-up";

const findConversationId = (route: CallRoute, json: unknown): number | undefined =>
  route.interface === "current" && isPayloadObject(json)
    ? (parseConversationName(json["name"]) ?? parseConversationName(json["parent"]))
    : route.conversationId;

/** Converts the ids in a request body to the server's ids. */
const decodeIds = (body: BodyResult, { searchService }: ApiService): BodyResult => {
  const { wire } = searchService.ports;
  return body.ok && wire !== undefined ? { ...body, bytes: Buffer.from(wire.toServer(body.bytes.toString())) } : body;
};

const readCall = async (service: ApiService, route: CallRoute, exchange: Exchange): Promise<ParsedCall> => {
  const { queryParameters, request, signal } = exchange;
  const body = decodeIds(await readBody(request, signal), service);
  const json = hasBody(route) && body.ok ? readJson(body.bytes, request.headers) : undefined;
  const { credential, userId } = identify(request.headers.authorization, service.searchService.tokens);
  const conversationId = findConversationId(route, json?.ok === true ? json.json : undefined);
  const call: ApiCall = {
    interface: route.interface,
    operation: route.operation,
    credential,
    ...(userId === 0 ? {} : { userId }),
    ...defined({ conversationId, questionId: route.questionId }),
    ...(json?.ok === true ? { json: json.json } : {}),
    parameters: queryParameters,
    headers: request.headers,
    signature: () =>
      `${request.method ?? ""} ${request.url ?? ""} ${hash32(body.ok ? body.bytes.toString("latin1") : "")}`,
    origin: connectionOrigin(request),
  };
  return { call, body, json, ports: exchange.ports.conversation };
};

const decideAccess = ({ searchService }: ApiService, { call, ports }: ParsedCall): ApiAccess => {
  const identity = identify(call.headers.authorization, searchService.tokens);
  const clientHeader = call.headers["x-requested-with"];
  const access = decideApiAccess(identity, {
    interface: call.interface,
    isWrite: !["get", "get-question", "list"].includes(call.operation),
    clientHeader: typeof clientHeader === "string" ? clientHeader : undefined,
  });
  return ports.admit(access, call);
};

const findHandler = ({ interface: name, operation }: ApiCall): CallHandler =>
  name === "current" && operation !== "get-question" ? currentHandlers[operation] : legacyHandlers[operation];

/** Builds the response before ports change it. */
const buildAnswer = (service: ApiService, parsedCall: ParsedCall): HandledCall => {
  const { body, call, json, ports } = parsedCall;
  const { conversations, searchService, sharing } = service;
  const access = decideAccess(service, parsedCall);
  if (!access.allowed) {
    return { answer: createAccessRefusal(call.interface, access) };
  }
  const refusal = createBodyRefusal(call.interface, body, json) ?? checkProtocol(call);
  if (refusal !== undefined) {
    return { answer: refusal };
  }
  const requestJson = json?.ok === true ? json.json : undefined;
  return findHandler(call)({
    call,
    caller: access.caller,
    json: ports.request(requestJson, call),
    service: conversations,
    hooks: createCallHooks(ports, call),
    vocabulary: searchService.vocabulary,
    sharing,
  });
};

/** Converts the ids in a response to those on the wire. */
const encodeIds = (
  { headers, json, status, text }: ApiAnswer,
  { toWire }: Wire,
  recordChange: () => void,
): ApiAnswer => {
  const body = json === undefined ? String(text ?? "") : JSON.stringify(json);
  const encodedBody = toWire(body);
  if (encodedBody !== body) {
    recordChange();
  }
  return { status, headers, text: encodedBody };
};

const buildFinalAnswer = (service: ApiService, parsedCall: ParsedCall, recordChange: () => void): ApiAnswer => {
  const { wire } = service.searchService.ports;
  try {
    const { answer, createdId } = buildAnswer(service, parsedCall);
    const call = createdId === undefined ? parsedCall.call : { ...parsedCall.call, conversationId: createdId };
    const changedAnswer = parsedCall.ports.answer(answer, call);
    return wire === undefined ? changedAnswer : encodeIds(changedAnswer, wire, recordChange);
  } catch {
    // Internal errors are not disclosed.
    return createServerFailure(parsedCall.call.interface);
  }
};

/** Answers one call of the conversation API. Source: conversation-api, sections 4 to 7. */
export const answerCall = (
  service: ApiService,
  route: CallRoute,
  streams: Pick<Exchange, "request" | "response">,
): Promise<void> =>
  recordExchange(service.searchService, streams, async (exchange) => {
    const parsedCall = await readCall(service, route, exchange);
    await parsedCall.ports.delay(parsedCall.call);
    const answer = buildFinalAnswer(service, parsedCall, exchange.recordChange);
    exchange.journalLine.recordCall(
      journalCall(parsedCall.call, parsedCall.body.ok ? parsedCall.body.bytes.length : 0, answer),
    );
    const closeHeaders = parsedCall.body.ok ? {} : { connection: "close" };
    await sendAnswer(exchange, { ...answer, headers: { ...answer.headers, ...closeHeaders } });
  });
