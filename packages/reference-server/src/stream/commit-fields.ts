import type { SearchResult } from "../search/search-result.ts";

/** A path as a part of an address; slashes stay. */
export const urlPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Text that cannot end the brackets it stands in. */
const bracketed = (text: string): string => text.replaceAll(/[[\]\\]/gu, String.raw`\$&`);

const fences = { commit: "COMMIT_EDITMSG", diff: "diff" } as const;

/**
 * What a match tells about a commit; the document shows none of it. The fence that opens `content` is line 0 of `ranges`,
 * which hold line, character and length in characters.
 */
export const commitFields = ({
  commit,
  kind,
  repository,
  text,
}: Extract<SearchResult, { kind: "commit" | "diff" }>): object => {
  const { authorDate, authorName, committerDate, committerName, message, oid } = commit;
  const url = `/${repository.name}/-/commit/${oid}`;
  const subject = bracketed(message.split("\n", 1)[0] ?? "");
  return {
    label: `[${bracketed(repository.name)}](/${repository.name}) › [${bracketed(authorName)}](${url}): [${subject}](${url})`,
    url,
    detail: `[\`${oid.slice(0, 7)}\` ${authorDate.slice(0, 10)}](${url})`,
    oid,
    message,
    authorName,
    authorDate,
    committerName,
    committerDate,
    content: ["```" + fences[kind], ...text.lines, "```"].join("\n"),
    ranges: text.ranges,
  };
};
