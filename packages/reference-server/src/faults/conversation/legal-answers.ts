import { jsonAnswer } from "../../conversation/api/api-answer.ts";
import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import { without } from "../event-transforms.ts";
import { type Fault, type FaultParameter, type Variants, howParameter, legal, variantOf } from "../fault.ts";
import { editAnswers, replaceAnswers, showing, withJson } from "./answer-edits.ts";
import type { InterfaceName } from "./answer-edits.ts";
import { changeQuestions, questionsOf } from "./conversation-parts.ts";
import { envelopeOf } from "./list-entries.ts";

const empty = ({ status }: ApiAnswer): ApiAnswer => ({ status, headers: {}, text: "" });

/** Bodies of answers whose form is not documented. */
const openBodies: Variants<(answer: ApiAnswer) => ApiAnswer> = {
  empty,
  text: ({ status }) => ({ status, headers: { "content-type": "text/plain; charset=utf-8" }, text: "done\n" }),
  flag: (answer) => withJson(answer, { done: true }),
  operation: (answer) => withJson(answer, { name: "operations/17", state: "DONE" }),
};

const openBody = (name: InterfaceName, operation: "cancel" | "delete"): Fault =>
  legal(`${name}-${operation === "cancel" ? "cancellation" : "deletion"}-body`)(
    `A ${operation === "cancel" ? "cancellation" : "deletion"} is answered with another body, or none.`,
    replaceAnswers({ interface: name, operations: [operation] }, (answer, { run }) =>
      variantOf(openBodies, run)?.(answer),
    ),
    howParameter(openBodies),
  );

const codes: Variants<number> = { "status-200": 200, "status-202": 202 };

type Envelope = (entries: readonly unknown[], rest: PayloadObject) => unknown;

const under =
  (name: string): Envelope =>
  (entries, rest) => ({ [name]: entries, ...rest });

const legacyEnvelopes: Variants<Envelope> = {
  array: (entries) => entries,
  results: under("results"),
  data: under("data"),
  "name-of-its-own": under("deep_search_threads"),
  "cursor-in-page-info": (entries, { next_cursor: cursor }) => ({
    conversations: entries,
    page_info: { has_next_page: cursor !== undefined, end_cursor: cursor ?? null },
  }),
  nested: (entries, { next_cursor: cursor }) => ({
    conversations: { nodes: entries, totalCount: entries.length, pageInfo: { endCursor: cursor ?? null } },
  }),
};

const currentEnvelopes: Variants<Envelope> = {
  conversations: under("conversations"),
  summaries: under("summaries"),
  results: under("results"),
  "name-of-its-own": under("threads"),
  nested: (entries, rest) => ({ conversations: { nodes: entries, ...rest } }),
};

const otherEnvelope = (name: InterfaceName, ways: Variants<Envelope>): Fault =>
  legal(`${name}-list-envelope`)(
    "Lists come under another name, or as a bare array.",
    editAnswers({ interface: name, operations: ["list"] }, (json, { run }) => {
      const member = envelopeOf(json);
      const entries = member === undefined ? undefined : json[member];
      return member === undefined || !isPayloadArray(entries)
        ? json
        : variantOf(ways, run)?.(entries, without(json, member));
    }),
    howParameter(ways),
  );

const contentTypes: readonly string[] = ["Application/JSON;charset=UTF-8", "text/plain"];
const typeParameter: FaultParameter = {
  title: "the content type",
  default: contentTypes[0] ?? "",
  choices: contentTypes,
};

/** One more member in objects whose members are not closed: all but the state, whose only key says which it is. */
const withNewMembers = (value: unknown, name = ""): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => withNewMembers(element));
  }
  if (!isPayloadObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(([key, member]) => [key, withNewMembers(member, key)] as const);
  const added = { addedLater: true, "x-note": { texts: ["more"] }, constructor: null };
  return { ...Object.fromEntries(members), ...(name === "state" ? {} : added) };
};

const digitsOf: Variants<number> = { none: 0, six: 6, nine: 9 };

/** The same instant with so many digits of a second; milliseconds that are not zero are kept. */
const withDigits = (time: string, digits: number): string => {
  const fraction = /\.(\d+)Z$/u.exec(time)?.[1] ?? "";
  const kept = fraction.replace(/0+$/u, "").padEnd(digits, "0");
  return `${time.replace(/(?:\.\d+)?Z$/u, "")}${kept === "" ? "" : `.${kept}`}Z`;
};

const isTime = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u.test(value);

const retimed = (value: unknown, digits: number): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => retimed(element, digits));
  }
  if (isPayloadObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, retimed(member, digits)]));
  }
  return isTime(value) ? withDigits(value, digits) : value;
};

/** All times of an answer, written in another way. */
const changedTimes = (value: unknown, change: (time: string) => string): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => changedTimes(element, change));
  }
  if (isPayloadObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changedTimes(member, change)]));
  }
  return isTime(value) ? change(value) : value;
};

const withoutSlashes = ({ sources }: PayloadObject): PayloadObject =>
  isPayloadArray(sources)
    ? {
        sources: sources.map((source) =>
          isPayloadObject(source) ? { ...source, link: String(source["link"]).replace(/^\//u, "") } : source,
        ),
      }
    : {};

const escapedByte = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

/** Variants to escape a text in an address; each character is ASCII. */
const escapes: Variants<(text: string) => string> = {
  "first-character": (text) => `${escapedByte(text.slice(0, 1))}${text.slice(1)}`,
  "every-character": (text) => Array.from(text, escapedByte).join(""),
};

const refusalForms: Variants<(message: string) => ApiAnswer["json"]> = {
  error: (message) => ({ error: message }),
  text: (message) => message,
  list: (message) => [{ detail: { text: message } }],
};

/** Permitted forms of answers that only look odd. */
export const legalAnswers: readonly Fault[] = [
  legal("legacy-other-success-status")(
    "All successful answers of the legacy interface have the same status, 200 or 202.",
    replaceAnswers({ interface: "legacy" }, (answer, { run }) => {
      const status = variantOf(codes, run) ?? 200;
      return status === answer.status ? undefined : { ...answer, status };
    }),
    howParameter(codes),
  ),
  legal("current-follow-up-answered-with-question")(
    "The answer to a follow-up is the new question, not the conversation that it is in.",
    editAnswers({ interface: "current", operations: ["follow-up"] }, (json) => questionsOf(json).at(-1) ?? json),
  ),
  openBody("legacy", "cancel"),
  openBody("legacy", "delete"),
  openBody("current", "cancel"),
  openBody("current", "delete"),
  legal("conversation-ids-beyond-2-53")(
    "Ids of users, conversations and questions are integers beyond 2^53, which differ in their last digits only.",
    {
      layer: "conversation",
      wire: {
        // 19 digits, which fit the 64 bits that ids have elsewhere.
        incoming: (text) => text.replaceAll(/9007199254740993(\d{3})/gu, (_, digits: string) => String(Number(digits))),
        outgoing: (text) =>
          text.replaceAll(
            /("(?:id|conversation_id|user_id)": ?|"users\/[^"/]*\/conversations\/)(\d{1,3})(?!\d)/gu,
            (_, before: string, id: string) => `${before}9007199254740993${id.padStart(3, "0")}`,
          ),
      },
    },
  ),
  otherEnvelope("legacy", legacyEnvelopes),
  otherEnvelope("current", currentEnvelopes),
  legal("conversation-other-content-type")(
    "JSON answers of both interfaces have a parameter in their content type, or another type.",
    replaceAnswers({}, (answer, { run }) =>
      answer.json === undefined
        ? undefined
        : { ...answer, headers: { ...answer.headers, "content-type": String(run.values["type"]) } },
    ),
    { type: typeParameter },
  ),
  legal("conversation-new-members")(
    "Every object of every answer has more members than are documented, the state excepted.",
    editAnswers({}, (json) => withNewMembers(json)),
  ),
  legal("conversation-fraction-digits")(
    "All times are written with another number of digits after the second; they tell the same instants.",
    editAnswers({}, (json, { run }) => retimed(json, variantOf(digitsOf, run) ?? 0)),
    howParameter(digitsOf),
  ),
  legal("conversation-basic-times")(
    "All times are written without hyphens and colons; they tell the same instants.",
    editAnswers({}, (json) => changedTimes(json, (time) => time.replaceAll(/[-:]/gu, ""))),
  ),
  legal("legacy-links-without-slash")(
    "Sources of legacy questions link to paths that do not begin with a slash.",
    editAnswers({ interface: "legacy", operations: showing }, (json) =>
      changeQuestions(json, (question) => ({ ...question, ...withoutSlashes(question) })),
    ),
  ),
  legal("legacy-share-url-escaped")(
    "The read token of a conversation has characters that stand escaped in its share URL.",
    editAnswers({ interface: "legacy", operations: showing }, (json, { run }) => {
      const { read_token: token } = json;
      const escape = variantOf(escapes, run);
      return typeof token !== "string" || escape === undefined
        ? json
        : { ...json, share_url: `https://search.example/deepsearch/shared?token=${escape(token)}&tab=1` };
    }),
    howParameter(escapes),
  ),
  legal("legacy-followups-left-out")(
    "Suggested follow-ups of legacy questions are left out where they would be null.",
    editAnswers({ interface: "legacy", operations: showing }, (json) =>
      changeQuestions(json, (question) =>
        question["suggested_followups"] === null ? without(question, "suggested_followups") : question,
      ),
    ),
  ),
  legal("legacy-followups-empty")(
    "Suggested follow-ups of completed legacy questions are an empty list.",
    editAnswers({ interface: "legacy", operations: showing }, (json) =>
      changeQuestions(json, (question) =>
        isPayloadArray(question["suggested_followups"]) ? { ...question, suggested_followups: [] } : question,
      ),
    ),
  ),
  legal("legacy-turns-kept")(
    "Legacy questions keep their turns, and turns of another role are added.",
    editAnswers({ interface: "legacy", operations: showing }, (json) =>
      changeQuestions(json, (question) => ({ ...question, turns: turnsOf(question) })),
    ),
  ),
  legal("legacy-refusal-as-json")(
    "Refusals of the legacy interface are JSON of some form with the message in it.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        if (call.interface !== "legacy" || answer.status < 400 || answer.text === undefined) {
          return answer;
        }
        run.applied();
        return jsonAnswer(answer.status, variantOf(refusalForms, run)?.(answer.text.toString().trim()));
      },
    },
    howParameter(refusalForms),
  ),
  legal("current-refusal-as-text")("Refusals of the current interface are one line of plain text.", {
    layer: "conversation",
    apply: (answer, call, run) => {
      if (call.interface !== "current" || answer.status < 400 || !isPayloadObject(answer.json)) {
        return answer;
      }
      run.applied();
      const headers = { "content-type": "text/plain; charset=utf-8" };
      return { status: answer.status, headers, text: `${String(answer.json["message"])}\n` };
    },
  }),
];

function turnsOf(question: PayloadObject): readonly unknown[] {
  const kept = isPayloadArray(question["turns"]) ? question["turns"] : [];
  const first = { reasoning: String(question["question"]), timestamp: 1_700_000_000, role: "user" };
  const agent = { reasoning: "Looking for the words of the question.", timestamp: 1_700_000_001, role: "assistant" };
  return [...(kept.length === 0 ? [first] : kept), agent];
}
