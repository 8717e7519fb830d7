import { isRecord, readBody } from "@assay/reading";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { IncompleteReason } from "@assay/results";
import type { ApiDescription } from "@assay/openapi";
import { answerGroup, quotedBody } from "./answer-group.ts";
import type { AnswerGroup } from "./answer-group.ts";
import { bodyBytes } from "./body-bytes.ts";
import { failureOf } from "./exchange-failures.ts";

/** The interfaces of the conversation API. */
export type ConversationInterface = "legacy" | "current";

/** An interface without any answer to judge, and the reason. */
export interface UnservedInterface {
  readonly interface: ConversationInterface;
  readonly reason: IncompleteReason;
}

/** Answers to bad credentials do not show whether an interface exists. */
const telling: ReadonlySet<string> = new Set(["access-token", "access-token-as-bearer", "oauth-token", "unknown"]);

const where = ({ record }: RecordedExchange): string =>
  visibleText(URL.canParse(record.request.url) ? new URL(record.request.url).origin : record.request.url, 200);

const isMissing = ({ record }: RecordedExchange): boolean =>
  record.response !== undefined && [404, 405, 501].includes(record.response.status);

const words: Readonly<Record<ConversationInterface, string>> = {
  legacy: "the legacy interface of the conversation API (/.api/deepsearch/v1)",
  current: "the current interface of the conversation API (/api/deepsearch.v1.Service)",
};

/** The scheme is unspecified there, so a run tries both. Source: conversation-api, section 5. */
const remedyOfCurrent = "it was sent after `token` and after `Bearer`, so check its scopes";

interface Absence {
  readonly first: RecordedExchange;
  readonly kind: AnswerGroup;
  readonly requests: number;
}

function reasonFor(name: ConversationInterface, { first, kind, requests }: Absence): IncompleteReason {
  const status = first.record.response?.status ?? 0;
  const next = "leave it out with --interface if it is not meant to be there";
  if (kind === "refusal") {
    const remedy = name === "current" ? remedyOfCurrent : "check its scopes";
    const message = `${where(first)} refused the token at ${words[name]} (status ${status})${quotedBody(first)}; ${remedy}, or ${next}`;
    return { code: "authentication-refused", message };
  }
  if (kind === "nothing" || kind === "distress") {
    const why = failureOf(first) ?? `it answered with status ${status}`;
    return { code: "transport", message: `${words[name]} cannot be judged: ${why}; try again when the target is well` };
  }
  const what = kind === "web-page" ? "a web page" : kind === "redirect" ? "a redirection" : `status ${status}`;
  const made = requests === 1 ? "its only request" : `the first of ${String(requests)} requests`;
  const message = `${words[name]} did not answer: ${where(first)} answered ${made} with ${what}; ${next}`;
  return { code: "not-the-api", message };
}

/** True if a JSON error reports something missing. A router answers in another form. */
function hasJsonBody(exchange: RecordedExchange): boolean {
  const read = readBody(bodyBytes(exchange));
  return read.kind === "text" && isRecord(read.json);
}

/** The reason why an interface does not exist for any of these calls; undefined if it answered one. */
function unserved(
  name: ConversationInterface,
  exchanges: readonly RecordedExchange[],
  api: ApiDescription | undefined,
): UnservedInterface | undefined {
  // An operation in the target's own document exists, so this 404 is about something else.
  const isDescribed = api?.source === "served" && api.operation(name, "create") !== undefined;
  const isOwnAnswer = (exchange: RecordedExchange): boolean => isDescribed && hasJsonBody(exchange);
  const calls = exchanges.filter(({ record }) => record.interface === name && telling.has(record.credential));
  const kinds = calls.map((exchange) => ({ exchange, kind: answerGroup(exchange) }));
  const [first] = kinds;
  // Any other answer comes from the interface itself.
  const isAbsent = kinds.every(
    ({ exchange, kind }) => away.has(kind) || (isMissing(exchange) && !isOwnAnswer(exchange)),
  );
  return first === undefined || !isAbsent
    ? undefined
    : { interface: name, reason: reasonFor(name, { first: first.exchange, kind: first.kind, requests: calls.length }) };
}

const away: ReadonlySet<AnswerGroup> = new Set(["web-page", "refusal", "redirect", "distress", "nothing"]);

/**
 * Interfaces that got requests but never gave an answer of their own, so they cannot be judged. `api` is the document that the target
 * serves.
 */
export const unservedInterfaces = (
  exchanges: readonly RecordedExchange[],
  api?: ApiDescription,
): readonly UnservedInterface[] =>
  (["legacy", "current"] as const).flatMap((name) => unserved(name, exchanges, api) ?? []);
