import { Buffer } from "node:buffer";
import { parseExactly, readList } from "@assay/reading";
import type { ExchangeDraft } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationInterface } from "./dialect.ts";

/** What stands in evidence in place of a text that is not kept, over and over, in as many bytes as the text had. */
const filler = "not kept ";
const linkFiller = "not-kept-";

/** Members of a conversation that rules about lists compare, whatever stands in them. */
const keptMembers: ReadonlySet<string> = new Set([
  "id",
  "name",
  "parent",
  "user_id",
  "creator",
  "read_token",
  "share_url",
]);

/** Members whose value somebody wrote, or that tell who somebody is, even where it is a single word. */
const writtenMembers: ReadonlySet<string> = new Set(
  (
    "answer content description displayName display_name email message question reasoning suggestedFollowups " +
    "suggested_followups summary text title username"
  ).split(" "),
);

/** Members that say from where in the code an answer comes, or where a picture of somebody is. */
const linkMembers: ReadonlySet<string> = new Set(["avatar_url", "avatarUrl", "label", "link", "url"]);

/** A word of an enumeration, a name of a resource, a stamp: what may be kept of any other member. */
const identifier = /^(?:[\w.:/+~-]|\\\/){0,300}$/u;

/** A point in time, also with a comma before its fraction or a space before its hour. */
const stamp = /^\d{4}[\d:.,TtWwZz +-]{4,60}$/u;

/** As many bytes that say nothing; what a link begins with stays, since a schema may ask for it. */
function withheld(text: string, member: string): string {
  if (linkMembers.has(member)) {
    const [start = ""] = /^(?:https?:\/\/|\\?\/)?/u.exec(text) ?? [];
    return start.padEnd(text.length, linkFiller);
  }
  return writtenMembers.has(member) || !(identifier.test(text) || stamp.test(text))
    ? "".padEnd(text.length, filler)
    : text;
}

/** An object or an array that is open: the member it belongs to, and for an object the last one that was named in it. */
interface Open {
  readonly isArray: boolean;
  readonly of: string;
  named: string;
}

/** The member that a value belongs to; the elements of an array belong to that of the array. */
const memberAt = (open: Open | undefined): string => (open?.isArray === false ? open.named : (open?.of ?? ""));

/** Brackets, and strings with the colon behind those that are names. */
const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gsu;

/** A string or bracket of JSON, where it stands, and what is open around it. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly open: readonly Open[];
}

/** Strings that are values, and brackets, those that close with what they close still open. The text has to be JSON. */
function* tokensOf(json: string): Generator<Token> {
  const open: Open[] = [];
  for (const { 0: text, 1: colon, index: start } of json.matchAll(tokens)) {
    const top = open.at(-1);
    if (colon !== undefined && top !== undefined) {
      top.named = text.slice(1, text.lastIndexOf('"'));
      continue;
    }
    yield { text, start, open };
    if (text === "{" || text === "[") {
      open.push({ isArray: text === "[", of: memberAt(top), named: "" });
    } else if (!text.startsWith('"')) {
      open.pop();
    }
  }
}

/** The elements of the list of a page: objects in the outermost array, or in the array that is this member of the outermost object. */
function* elementsIn(
  page: string,
  listMember: string | undefined,
): Generator<{ readonly start: number; readonly end: number }> {
  const depth = listMember === undefined ? 1 : 2;
  let elementStart = 0;
  for (const { text, start, open } of tokensOf(page)) {
    const list = open[depth - 1];
    if (list?.isArray !== true || (listMember !== undefined && list.of !== listMember)) {
      continue;
    }
    if (text === "{" && open.length === depth) {
      elementStart = start;
    } else if (text === "}" && open.length === depth + 1) {
      yield { start: elementStart, end: start + 1 };
    }
  }
}

/** An element of a list, in as many bytes, with what somebody wrote replaced. */
function withheldElement(element: string): string {
  let kept = "";
  let at = 0;
  for (const { text, start, open } of tokensOf(element)) {
    const member = memberAt(open.at(-1));
    if (text.startsWith('"') && !(open.length === 1 && keptMembers.has(member))) {
      kept += `${element.slice(at, start)}"${withheld(text.slice(1, -1), member)}"`;
      at = start + text.length;
    }
  }
  return kept + element.slice(at);
}

/**
 * A list as evidence keeps it. Of conversations that no run of this program made, what somebody wrote (questions, answers, titles, links into the
 * code, names of people) is replaced by as many bytes of `not kept`; ids, states, stamps and owners stay, which is what
 * the rules about lists look at. What is no list stays as it came.
 */
export function withoutOthersText(
  { draft, json }: Pick<Answer, "draft" | "json">,
  name: ConversationInterface,
  isOurs: (element: unknown) => boolean,
): ExchangeDraft {
  const { response } = draft;
  const list = readList(name, json);
  if (response === undefined || list === undefined || list.entries.length === 0) {
    return draft;
  }
  // One character a byte: places in the text are places in the body.
  const text = Buffer.concat(response.chunks.map(({ bytes }) => bytes)).toString("latin1");
  const isOurElement = (element: string): boolean =>
    isOurs(parseExactly(Buffer.from(element, "latin1").toString("utf8")));
  let keptText = "";
  let at = 0;
  for (const { start, end } of elementsIn(text, list.envelope)) {
    const element = text.slice(start, end);
    keptText += text.slice(at, start) + (isOurElement(element) ? element : withheldElement(element));
    at = end;
  }
  const kept = Buffer.from(keptText + text.slice(at), "latin1");
  let from = 0;
  const chunks = response.chunks.map((chunk) => {
    const bytes = kept.subarray(from, (from += chunk.bytes.length));
    return { ...chunk, bytes };
  });
  return { ...draft, response: { ...response, chunks } };
}
