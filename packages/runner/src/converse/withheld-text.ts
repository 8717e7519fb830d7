import { Buffer } from "node:buffer";
import { parseExactly, readList } from "@assay/reading";
import type { ExchangeDraft } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationInterface } from "./dialect.ts";

/** Replaces a withheld text in evidence, repeated to the same number of bytes. */
const filler = "not kept ";
const linkFiller = "not-kept-";

/** Members of a conversation that rules about lists compare; always kept. */
const keptMembers: ReadonlySet<string> = new Set([
  "id",
  "name",
  "parent",
  "user_id",
  "creator",
  "read_token",
  "share_url",
]);

/** Members with text that a person wrote or that identifies a person; withheld even if it is a single word. */
const textMembers: ReadonlySet<string> = new Set(
  (
    "answer content description displayName display_name email message question reasoning suggestedFollowups " +
    "suggested_followups summary text title username"
  ).split(" "),
);

/** Members with links into code or to pictures of people. */
const linkMembers: ReadonlySet<string> = new Set(["avatar_url", "avatarUrl", "label", "link", "url"]);

/** An enumeration value, resource name or time: kept in all other members. */
const identifierPattern = /^(?:[\w.:/+~-]|\\\/){0,300}$/u;

/** A time. Accepts a comma before the fraction and a space before the hour. */
const timestampPattern = /^\d{4}[\d:.,TtWwZz +-]{4,60}$/u;

/** Returns filler of the same length for text to withhold. Keeps the prefix of a link, since a schema may require it. */
function withholdText(text: string, member: string): string {
  if (linkMembers.has(member)) {
    const [start = ""] = /^(?:https?:\/\/|\\?\/)?/u.exec(text) ?? [];
    return start.padEnd(text.length, linkFiller);
  }
  return textMembers.has(member) || !(identifierPattern.test(text) || timestampPattern.test(text))
    ? "".padEnd(text.length, filler)
    : text;
}

/** An open object or array: the member it belongs to and, for an object, its last member name. */
interface OpenContainer {
  readonly isArray: boolean;
  readonly member: string;
  lastName: string;
}

/** Returns the member that a value belongs to. Array elements belong to the member of the array. */
const findMember = (container: OpenContainer | undefined): string =>
  container?.isArray === false ? container.lastName : (container?.member ?? "");

/** Brackets, and strings with the colon after those that are names. */
const tokenPattern = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gsu;

/** A string or bracket of JSON, its position, and the open objects and arrays around it. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly open: readonly OpenContainer[];
}

/** Yields string values and brackets. A closing bracket comes with its object or array still open. The text must be JSON. */
function* tokenize(json: string): Generator<Token> {
  const open: OpenContainer[] = [];
  for (const { 0: text, 1: colon, index: start } of json.matchAll(tokenPattern)) {
    const innermost = open.at(-1);
    if (colon !== undefined && innermost !== undefined) {
      innermost.lastName = text.slice(1, text.lastIndexOf('"'));
      continue;
    }
    yield { text, start, open };
    if (text === "{" || text === "[") {
      open.push({ isArray: text === "[", member: findMember(innermost), lastName: "" });
    } else if (!text.startsWith('"')) {
      open.pop();
    }
  }
}

/** Yields the elements of a listed page: objects in the outermost array, or in the array in this member of the outermost object. */
function* findElements(
  page: string,
  listMember: string | undefined,
): Generator<{ readonly start: number; readonly end: number }> {
  const depth = listMember === undefined ? 1 : 2;
  let elementStart = 0;
  for (const { text, start, open } of tokenize(page)) {
    const list = open[depth - 1];
    if (list?.isArray !== true || (listMember !== undefined && list.member !== listMember)) {
      continue;
    }
    if (text === "{" && open.length === depth) {
      elementStart = start;
    } else if (text === "}" && open.length === depth + 1) {
      yield { start: elementStart, end: start + 1 };
    }
  }
}

/** Returns an element of the same length, without the texts that people wrote. */
function withholdElement(element: string): string {
  let result = "";
  let position = 0;
  for (const { text, start, open } of tokenize(element)) {
    const member = findMember(open.at(-1));
    if (text.startsWith('"') && !(open.length === 1 && keptMembers.has(member))) {
      result += `${element.slice(position, start)}"${withholdText(text.slice(1, -1), member)}"`;
      position = start + text.length;
    }
  }
  return result + element.slice(position);
}

/**
 * Returns a list as it is stored in evidence. In conversations that no run of this program created, each text that people wrote (question,
 * answer, title, link into code, name) is replaced by the same number of bytes of `not kept`. Ids, states, times and owners are kept, since
 * rules about lists need them. Answers that are not lists do not change.
 */
export function withholdOtherTexts(
  { draft, json }: Pick<Answer, "draft" | "json">,
  name: ConversationInterface,
  isOwn: (element: unknown) => boolean,
): ExchangeDraft {
  const { response } = draft;
  const list = readList(name, json);
  if (response === undefined || list === undefined || list.entries.length === 0) {
    return draft;
  }
  // One character per byte, so that positions in the text are positions in the body.
  const text = Buffer.concat(response.chunks.map(({ bytes }) => bytes)).toString("latin1");
  const isOwnElement = (element: string): boolean =>
    isOwn(parseExactly(Buffer.from(element, "latin1").toString("utf8")));
  let storedText = "";
  let position = 0;
  for (const { start, end } of findElements(text, list.envelope)) {
    const element = text.slice(start, end);
    storedText += text.slice(position, start) + (isOwnElement(element) ? element : withholdElement(element));
    position = end;
  }
  const storedBytes = Buffer.from(storedText + text.slice(position), "latin1");
  let offset = 0;
  const chunks = response.chunks.map((chunk) => {
    const bytes = storedBytes.subarray(offset, (offset += chunk.bytes.length));
    return { ...chunk, bytes };
  });
  return { ...draft, response: { ...response, chunks } };
}
