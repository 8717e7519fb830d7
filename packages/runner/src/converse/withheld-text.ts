import { Buffer } from "node:buffer";
import { parseExactly } from "@assay/contract";
import type { ExchangeDraft } from "@assay/evidence";
import { listPage } from "./list-view.ts";

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
const writtenMembers: ReadonlySet<string> = new Set([
  ...["answer", "content", "description", "message", "question", "reasoning", "summary", "text", "title"],
  ...["suggested_followups", "suggestedFollowups", "display_name", "displayName", "email", "username"],
]);

/** Members that say from where in the code an answer comes, or where a picture of somebody is. */
const linkMembers: ReadonlySet<string> = new Set(["avatar_url", "avatarUrl", "label", "link", "url"]);

/** A word of an enumeration, a name of a resource, a stamp: what may be kept of any other member. */
const identifier = /^(?:[\w.:/+~-]|\\\/){0,300}$/u;

const repeated = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** As many bytes that say nothing; what a link begins with stays, since a schema may ask for it. */
function withheld(text: string, member: string): string {
  if (linkMembers.has(member)) {
    const [start = ""] = /^(?:https?:\/\/|\\?\/)?/u.exec(text) ?? [];
    return start + repeated(linkFiller, text.length - start.length);
  }
  return writtenMembers.has(member) || !identifier.test(text) ? repeated(filler, text.length) : text;
}

/** An object or an array that is open: the member it belongs to, and for an object the last one that was named in it. */
interface Open {
  readonly isArray: boolean;
  readonly of: string;
  named: string;
}

/** The member that a value belongs to; the elements of an array belong to that of the array. */
const memberAt = (open: Open | undefined): string => (open?.isArray === false ? open.named : (open?.of ?? ""));

/**
 * The text of a list, in as many bytes, with what people wrote replaced in the elements that are not ours. `listMember` is the member of
 * the outermost object that holds the list, absent where the list is the outermost array. The text has to be JSON.
 */
function withoutOthers(text: string, listMember: string | undefined, isOurs: (element: string) => boolean): string {
  const listDepth = listMember === undefined ? 1 : 2;
  const stack: Open[] = [];
  const parts: string[] = [];
  let element = { start: 0, written: "", at: 0 };
  let at = 0;
  const isInList = (): boolean => {
    const list = stack[listDepth - 1];
    return list?.isArray === true && (listMember === undefined || list.of === listMember);
  };
  // Brackets, and strings with the colon behind those that are names.
  for (const { 0: token, 1: colon, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gsu)) {
    const top = stack.at(-1);
    const isElement = isInList() && stack.length === listDepth + 1;
    if (token === "{" || token === "[") {
      if (isInList() && stack.length === listDepth) {
        element = { start: index, written: "", at: index };
      }
      stack.push({ isArray: token === "[", of: memberAt(top), named: "" });
    } else if (token === "}" || token === "]") {
      stack.pop();
      if (isElement) {
        const whole = text.slice(element.start, index + 1);
        const written = element.written + text.slice(element.at, index + 1);
        parts.push(text.slice(at, element.start), isOurs(whole) ? whole : written);
        at = index + 1;
      }
    } else if (colon !== undefined && top !== undefined) {
      top.named = token.slice(1, token.lastIndexOf('"'));
    } else if (isInList() && stack.length > listDepth) {
      const member = memberAt(top);
      const isKept = isElement && keptMembers.has(member);
      element.written += `${text.slice(element.at, index)}${isKept ? token : `"${withheld(token.slice(1, -1), member)}"`}`;
      element.at = index + token.length;
    }
  }
  return parts.join("") + text.slice(at);
}

/** The member of a page that holds its list; undefined where the page is the list. */
const listMemberOf = (json: unknown, entries: readonly unknown[]): string | undefined =>
  Array.isArray(json) ? undefined : Object.entries(json ?? {}).find(([, value]) => value === entries)?.[0];

/**
 * A list as evidence keeps it. Of conversations that are not of this run, what somebody wrote (questions, answers, titles, links into the
 * code, names of people) is replaced by as many bytes of `not kept`; ids, states, stamps and owners stay, which is what
 * the rules about lists look at. What is no list stays as it came.
 */
export function withoutOthersText(
  draft: ExchangeDraft,
  json: unknown,
  isOurs: (element: unknown) => boolean,
): ExchangeDraft {
  const { response } = draft;
  const { entries } = listPage(json, draft.interface === "legacy" ? "legacy" : "current");
  if (response === undefined || entries.length === 0) {
    return draft;
  }
  // One character a byte: places in the text are places in the body.
  const text = Buffer.concat(response.chunks.map(({ bytes }) => bytes)).toString("latin1");
  const isOurElement = (element: string): boolean =>
    isOurs(parseExactly(Buffer.from(element, "latin1").toString("utf8")));
  const kept = Buffer.from(withoutOthers(text, listMemberOf(json, entries), isOurElement), "latin1");
  let from = 0;
  const chunks = response.chunks.map((chunk) => {
    const bytes = kept.subarray(from, (from += chunk.bytes.length));
    return { ...chunk, bytes };
  });
  return { ...draft, response: { ...response, chunks } };
}
