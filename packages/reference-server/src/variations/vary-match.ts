import { without } from "../faults/event-transforms.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../payload.ts";
import type { Dice } from "./dice.ts";
import { type OptionalMembers, withOtherOptionals } from "./optional-members.ts";

const position = { offset: 0, line: 0, column: 0 } as const;

/** Optional members of a content match. Source: search-stream, section 2.3. */
const contentOptionals: OptionalMembers = {
  pathMatches: [[], [{ start: position, end: { offset: 3, line: 0, column: 3 } }]],
  repoStars: [0, 123_456],
  repoLastFetched: [
    "2024-05-17T08:30:00.123456789Z",
    "2024-05-17T08:30:00+02:00",
    "2024-05-17T08:30:00.5-07:30",
    "1970-01-01T00:00:00Z",
  ],
  branches: [[], [""], ["HEAD", "release/1.0"]],
  commit: ["0123456789abcdef0123456789abcdef01234567"],
  lineMatches: [[]],
  language: ["", "Rust", "C++"],
  debug: ["score: 1.5"],
};

const hunks = [
  null,
  [],
  [{ content: { plaintext: "a line", html: "<b>a line</b>" }, lineStart: 0, lineCount: 1, matches: [] }],
] as const;

/** What a chunk is made of is not shown beyond `context`, so its text may have either name or both. */
const otherChunk = (chunk: unknown, dice: Dice): unknown => {
  if (!isPayloadObject(chunk)) {
    return chunk;
  }
  const both = { ...chunk, context: chunk["content"] };
  return dice.pick([chunk, both, without(both, "content"), { ...chunk, contentTruncated: false }]);
};

const otherChunks = (chunks: unknown, dice: Dice): unknown =>
  isPayloadArray(chunks) ? chunks.map((chunk) => otherChunk(chunk, dice)) : chunks;

const contentMatch = (match: PayloadObject, dice: Dice): PayloadObject => ({
  ...withOtherOptionals(match, contentOptionals, dice),
  ...("chunkMatches" in match ? { chunkMatches: otherChunks(match["chunkMatches"], dice) } : {}),
  ...(dice.chance(0.3) ? { hunks: dice.pick<unknown>(hunks) } : {}),
});

/** Of a match of another type the document shows nothing but the type. */
const otherMatch = (match: PayloadObject, dice: Dice): PayloadObject => {
  const { type } = match;
  return dice.pick<PayloadObject>([
    match,
    match,
    { type },
    { ...match, repositoryID: null, branches: null },
    { ...match, path: ["a", "b"], repository: { name: "by reference" } },
  ]);
};

/** Another legal form of the same match. */
export const varyMatch = (match: unknown, dice: Dice): unknown => {
  if (!isPayloadObject(match)) {
    return match;
  }
  return match["type"] === "content" ? contentMatch(match, dice) : otherMatch(match, dice);
};
