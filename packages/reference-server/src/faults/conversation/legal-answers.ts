import { type ApiAnswer, jsonAnswer, textAnswer } from "../../conversation/api/api-answer.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject, withObjects, withTexts } from "../../payload.ts";
import { without } from "../event-transforms.ts";
import { type Fault, legal, oneOf, type Variants } from "../fault.ts";
import { having, lacking } from "../spoiling.ts";
import {
  answering,
  callsOf,
  editing,
  everyCall,
  type InterfaceName,
  isSuccess,
  type JsonEdit,
  replacing,
  showing,
  withJson,
} from "./call-effects.ts";
import { entriesOf, envelopeOf, inElements, inQuestions, inText, questionsOf, when } from "./conversation-parts.ts";
import { emptyAnswer } from "./refusal-variants.ts";

/** Bodies of answers whose form is not documented. */
const openBodies: Variants<(answer: ApiAnswer) => ApiAnswer> = {
  empty: ({ status }) => emptyAnswer(status),
  text: ({ status }) => textAnswer(status, "done"),
  flag: (answer) => withJson(answer, { done: true }),
  operation: (answer) => withJson(answer, { name: "operations/17", state: "DONE" }),
};

const openBody = (name: InterfaceName, act: "cancellation" | "deletion"): Fault =>
  legal(`${name}-${act}-body`)(
    `A ${act} is answered with another body, or none.`,
    oneOf(openBodies, (change) => replacing(callsOf(name, act === "deletion" ? "delete" : "cancel"), change)),
  );

type Envelope = (entries: readonly unknown[], rest: PayloadObject) => unknown;

const under =
  (name: string): Envelope =>
  (entries, rest) => ({ [name]: entries, ...rest });

const envelopes: Readonly<Record<InterfaceName, Variants<Envelope>>> = {
  legacy: {
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
  },
  current: {
    conversations: under("conversations"),
    summaries: under("summaries"),
    results: under("results"),
    "name-of-its-own": under("threads"),
    nested: (entries, rest) => ({ conversations: { nodes: entries, ...rest } }),
  },
};

const otherEnvelope = (name: InterfaceName): Fault =>
  legal(`${name}-list-envelope`)(
    "Lists come under another name, or as a bare array.",
    oneOf(envelopes[name], (envelope) =>
      editing(callsOf(name, "list"), (json) => {
        const member = envelopeOf(json);
        return member === undefined ? json : envelope(entriesOf(json), without(json, member));
      }),
    ),
  );

const contentTypes = ["Application/JSON;charset=UTF-8", "text/plain"];

/** One more member in objects whose members are not closed: all but the state, whose only key says which it is. */
const withNewMembers: JsonEdit = (json) =>
  withObjects(json, (data, name) =>
    name === "state" ? data : { ...data, addedLater: true, "x-note": { texts: ["more"] }, constructor: null },
  );

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u;

/** Writes all times in another way. */
const retimed =
  (write: (time: string) => string): JsonEdit =>
  (json) =>
    withTexts(json, (text) => (isTime.test(text) ? write(text) : text));

/** The same instant with so many digits of a second; milliseconds that are not zero are kept. */
const withDigits = (digits: number): JsonEdit =>
  retimed((time) => {
    const fraction = /\.(\d+)Z$/u.exec(time)?.[1] ?? "";
    const kept = fraction.replace(/0+$/u, "").padEnd(digits, "0");
    return `${time.replace(/(?:\.\d+)?Z$/u, "")}${kept === "" ? "" : `.${kept}`}Z`;
  });

const escapedByte = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

/** Variants to escape a text in an address; each character is ASCII. */
const escapes: Variants<(text: string) => string> = {
  "first-character": (text) => `${escapedByte(text.slice(0, 1))}${text.slice(1)}`,
  "every-character": (text) => Array.from(text, escapedByte).join(""),
};

const withMoreTurns = (question: PayloadObject): PayloadObject => {
  const kept = isPayloadArray(question["turns"]) ? question["turns"] : [];
  const first = { reasoning: String(question["question"]), timestamp: 1_700_000_000, role: "user" };
  const agent = { reasoning: "Looking for the words of the question.", timestamp: 1_700_000_001, role: "assistant" };
  return { ...question, turns: [...(kept.length === 0 ? [first] : kept), agent] };
};

const refusalForms: Variants<(message: string) => unknown> = {
  error: (message) => ({ error: message }),
  text: (message) => message,
  list: (message) => [{ detail: { text: message } }],
};

const legacyAnswers = callsOf("legacy", ...showing);

/** Permitted forms of answers that only look odd. */
export const legalAnswers: readonly Fault[] = [
  legal("legacy-other-success-status")(
    "All successful answers of the legacy interface have the same status, 200 or 202.",
    oneOf({ "status-200": 200, "status-202": 202 }, (status) =>
      answering(callsOf("legacy"), (answer) =>
        isSuccess(answer) && answer.status !== status ? { ...answer, status } : answer,
      ),
    ),
  ),
  legal("current-follow-up-answered-with-question")(
    "The answer to a follow-up is the new question, not the conversation that it is in.",
    editing(callsOf("current", "follow-up"), (json) => questionsOf(json).at(-1) ?? json),
  ),
  openBody("legacy", "cancellation"),
  openBody("legacy", "deletion"),
  openBody("current", "cancellation"),
  openBody("current", "deletion"),
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
  otherEnvelope("legacy"),
  otherEnvelope("current"),
  legal("conversation-other-content-type")(
    "JSON answers of both interfaces have a parameter in their content type, or another type.",
    oneOf(
      Object.fromEntries(contentTypes.map((type) => [type, { "content-type": type }])),
      (type) =>
        replacing(everyCall, (answer) =>
          answer.json === undefined ? undefined : { ...answer, headers: { ...answer.headers, ...type } },
        ),
      ["type", "the content type"],
    ),
  ),
  legal("conversation-new-members")(
    "Every object of every answer has more members than are documented, the state excepted.",
    editing(everyCall, withNewMembers),
  ),
  legal("conversation-fraction-digits")(
    "All times are written with another number of digits after the second; they tell the same instants.",
    oneOf({ none: 0, six: 6, nine: 9 }, (digits) => editing(everyCall, withDigits(digits))),
  ),
  legal("conversation-basic-times")(
    "All times are written without hyphens and colons; they tell the same instants.",
    editing(
      everyCall,
      retimed((time) => time.replaceAll(/[-:]/gu, "")),
    ),
  ),
  legal("legacy-links-without-slash")(
    "Sources of legacy questions link to paths that do not begin with a slash.",
    editing(
      legacyAnswers,
      inQuestions(
        inElements(
          "sources",
          inText("link", (link) => link.replace(/^\//u, "")),
        ),
      ),
    ),
  ),
  legal("legacy-share-url-escaped")(
    "The read token of a conversation has characters that stand escaped in its share URL.",
    oneOf(escapes, (escape) =>
      editing(legacyAnswers, (json) =>
        typeof json["read_token"] === "string"
          ? { ...json, share_url: `https://search.example/deepsearch/shared?token=${escape(json["read_token"])}&tab=1` }
          : json,
      ),
    ),
  ),
  legal("legacy-followups-left-out")(
    "Suggested follow-ups of legacy questions are left out where they would be null.",
    editing(
      legacyAnswers,
      inQuestions(when((question) => question["suggested_followups"] === null, lacking("suggested_followups"))),
    ),
  ),
  legal("legacy-followups-empty")(
    "Suggested follow-ups of completed legacy questions are an empty list.",
    editing(
      legacyAnswers,
      inQuestions(
        when((question) => isPayloadArray(question["suggested_followups"]), having("suggested_followups", [])),
      ),
    ),
  ),
  legal("legacy-turns-kept")(
    "Legacy questions keep their turns, and turns of another role are added.",
    editing(legacyAnswers, inQuestions(withMoreTurns)),
  ),
  legal("legacy-refusal-as-json")(
    "Refusals of the legacy interface are JSON of some form with the message in it.",
    oneOf(refusalForms, (form) =>
      answering(callsOf("legacy"), (answer) =>
        answer.status < 400 || answer.text === undefined
          ? answer
          : jsonAnswer(answer.status, form(answer.text.toString().trim())),
      ),
    ),
  ),
  legal("current-refusal-as-text")(
    "Refusals of the current interface are one line of plain text.",
    answering(callsOf("current"), (answer) =>
      answer.status < 400 || !isPayloadObject(answer.json)
        ? answer
        : textAnswer(answer.status, String(answer.json["message"])),
    ),
  ),
];
