import { isRecord, readBody } from "@assay/reading";
import type { RecordedExchange } from "@assay/evidence";
import type { IncompleteReason } from "@assay/results";
import type { ApiDescription } from "@assay/openapi";
import { findAnswerGroup, quoteBody } from "./answer-group.ts";
import type { AnswerGroup } from "./answer-group.ts";
import { readBodyBytes } from "./body-bytes.ts";
import { describeFailure } from "./exchange-failures.ts";
import { describeOrigin } from "./root-reason.ts";

/** The interfaces of the conversation API. */
export type ConversationInterface = "legacy" | "current";

/** An interface without a response to judge, and the reason. */
export interface UnservedInterface {
  readonly interface: ConversationInterface;
  readonly reason: IncompleteReason;
}

/** Credentials whose responses show whether an interface exists. Responses to bad credentials do not. */
const conclusiveCredentials: ReadonlySet<string> = new Set([
  "access-token",
  "access-token-as-bearer",
  "oauth-token",
  "unknown",
]);

const isMissing = ({ record }: RecordedExchange): boolean =>
  record.response !== undefined && [404, 405, 501].includes(record.response.status);

const interfaceLabels: Readonly<Record<ConversationInterface, string>> = {
  legacy: "the legacy interface of the conversation API (/.api/deepsearch/v1)",
  current: "the current interface of the conversation API (/api/deepsearch.v1.Service)",
};

/** The authorization scheme of the current interface is unspecified, so a run tries both. Source: conversation-api, section 5. */
const currentRemedy = "it was sent after `token` and after `Bearer`, so check its scopes";

interface Absence {
  readonly first: RecordedExchange;
  readonly kind: AnswerGroup;
  readonly requests: number;
}

function createReason(name: ConversationInterface, { first, kind, requests }: Absence): IncompleteReason {
  const status = first.record.response?.status ?? 0;
  const advice = "leave it out with --interface if it is not meant to be there";
  if (kind === "refusal") {
    const remedy = name === "current" ? currentRemedy : "check its scopes";
    const message = `${describeOrigin(first)} refused the token at ${interfaceLabels[name]} (status ${status})${quoteBody(first)}; ${remedy}, or ${advice}`;
    return { code: "authentication-refused", message };
  }
  if (kind === "nothing" || kind === "distress") {
    const failure = describeFailure(first) ?? `it answered with status ${status}`;
    return {
      code: "transport",
      message: `${interfaceLabels[name]} cannot be judged: ${failure}; try again when the target is well`,
    };
  }
  const answer = kind === "web-page" ? "a web page" : kind === "redirect" ? "a redirection" : `status ${status}`;
  const requestClause = requests === 1 ? "its only request" : `the first of ${String(requests)} requests`;
  const message = `${interfaceLabels[name]} did not answer: ${describeOrigin(first)} answered ${requestClause} with ${answer}; ${advice}`;
  return { code: "not-the-api", message };
}

/** Reports whether the body is a JSON error about a missing object. A router responds in a different form. */
function hasJsonBody(exchange: RecordedExchange): boolean {
  const reading = readBody(readBodyBytes(exchange));
  return reading.kind === "text" && isRecord(reading.json);
}

/** Returns why an interface served none of these calls, or undefined if it served one. */
function findUnserved(
  name: ConversationInterface,
  exchanges: readonly RecordedExchange[],
  api: ApiDescription | undefined,
): UnservedInterface | undefined {
  // The target's own document describes the operation, so a 404 does not mean that the operation is missing.
  const isDescribed = api?.source === "served" && api.operation(name, "create") !== undefined;
  const isApiAnswer = (exchange: RecordedExchange): boolean => isDescribed && hasJsonBody(exchange);
  const calls = exchanges.filter(
    ({ record }) => record.interface === name && conclusiveCredentials.has(record.credential),
  );
  const kinds = calls.map((exchange) => ({ exchange, kind: findAnswerGroup(exchange) }));
  const [first] = kinds;
  // All other responses come from the interface itself.
  const isAbsent = kinds.every(
    ({ exchange, kind }) => foreignGroups.has(kind) || (isMissing(exchange) && !isApiAnswer(exchange)),
  );
  return first === undefined || !isAbsent
    ? undefined
    : {
        interface: name,
        reason: createReason(name, { first: first.exchange, kind: first.kind, requests: calls.length }),
      };
}

const foreignGroups: ReadonlySet<AnswerGroup> = new Set(["web-page", "refusal", "redirect", "distress", "nothing"]);

/**
 * Returns the interfaces that received requests but never sent a response of their own, so that they cannot be judged. `api` is the
 * document that the target serves.
 */
export const findUnservedInterfaces = (
  exchanges: readonly RecordedExchange[],
  api?: ApiDescription,
): readonly UnservedInterface[] =>
  (["legacy", "current"] as const).flatMap((name) => findUnserved(name, exchanges, api) ?? []);
