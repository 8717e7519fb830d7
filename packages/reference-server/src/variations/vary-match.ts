import { without } from "../faults/event-transforms.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import { hash32 } from "../service/seeded-random.ts";
import type { Dice } from "./dice.ts";
import { type OptionalMembers, varyOptionalMembers } from "./optional-members.ts";
import type { ServerHabits } from "./server-habits.ts";

const startPosition = { offset: 0, line: 0, column: 0 } as const;

/** Optional members of a content match. Source: search-stream, section 2.3. */
const contentOptionals: OptionalMembers = {
  pathMatches: [[], [{ start: startPosition, end: { offset: 3, line: 0, column: 3 } }]],
  repoStars: [0, 123_456],
  repoLastFetched: [
    "2024-05-17T08:30:00.123456789Z",
    "2024-05-17T08:30:00+02:00",
    "2024-05-17T08:30:00.5-07:30",
    "1970-01-01T00:00:00Z",
  ],
  branches: [[], [""], ["HEAD", "release/1.0"]],
  language: ["", "Rust", "C++"],
  debug: ["score: 1.5"],
};

/** An empty `lineMatches` may be omitted. A non-empty one contains results, so it is never varied. */
const omittableLines: OptionalMembers = { lineMatches: [[]] };

const hunkValues = [
  null,
  [],
  [{ content: { plaintext: "a line", html: "<b>a line</b>" }, lineStart: 0, lineCount: 1, matches: [] }],
] as const;

/** Varies a chunk. The specification defines only `context`, so other members may be absent or added. */
const varyChunk = (chunk: unknown, dice: Dice): unknown => {
  if (!isPayloadObject(chunk)) {
    return chunk;
  }
  const context = chunk["context"] ?? chunk["content"];
  const chunkWithBothMembers = { ...chunk, content: context, context };
  return dice.pick<PayloadObject>([
    chunkWithBothMembers,
    { ...without(chunk, "content"), context },
    { context },
    { ...without(chunkWithBothMembers, "ranges"), contentTruncated: false, score: null },
  ]);
};

const hasEntries = (value: unknown): boolean => isPayloadArray(value) && value.length > 0;

const withCommit = (match: PayloadObject, { commitForm }: ServerHabits): PayloadObject => {
  if (commitForm === "omitted") {
    return without(match, "commit");
  }
  return commitForm === "abbreviated" && typeof match["commit"] === "string"
    ? { ...match, commit: match["commit"].slice(0, 12) }
    : match;
};

const varyContentMatch = (match: PayloadObject, dice: Dice): PayloadObject => {
  const { chunkMatches, lineMatches } = match;
  const optionals = hasEntries(lineMatches) ? contentOptionals : { ...contentOptionals, ...omittableLines };
  return {
    ...varyOptionalMembers(match, optionals, dice),
    ...(isPayloadArray(chunkMatches) ? { chunkMatches: chunkMatches.map((chunk) => varyChunk(chunk, dice)) } : {}),
    ...(dice.chance(0.3) ? { hunks: dice.pick<unknown>(hunkValues) } : {}),
  };
};

/**
 * Varies a match of a type for which the specification defines only the type. Hashes the match, so that it always looks the same.
 */
const varyUnspecifiedMatch = (match: PayloadObject, { salt }: ServerHabits): PayloadObject => {
  const { type } = match;
  const forms: readonly PayloadObject[] = [
    match,
    match,
    { type },
    { ...match, repositoryID: null, branches: null },
    { ...match, path: ["a", "b"], repository: { name: "by reference" } },
  ];
  return forms[hash32(`${salt}/${JSON.stringify(match)}`) % forms.length] ?? match;
};

/** Varies a match. */
export const varyMatch = (
  match: unknown,
  { dice, habits }: { readonly dice: Dice; readonly habits: ServerHabits },
): unknown => {
  if (!isPayloadObject(match)) {
    return match;
  }
  return match["type"] === "content"
    ? varyContentMatch(withCommit(match, habits), dice)
    : varyUnspecifiedMatch(match, habits);
};

/** Splits a content match into two, each with some of its lines or chunks. Undefined if it has only one. */
const splitMatch = (match: PayloadObject, dice: Dice): readonly PayloadObject[] | undefined => {
  const name = hasEntries(match["chunkMatches"]) ? "chunkMatches" : "lineMatches";
  const list = match[name];
  if (match["type"] !== "content" || !isPayloadArray(list) || list.length < 2) {
    return undefined;
  }
  const boundary = dice.integer(1, list.length - 1);
  return [list.slice(0, boundary), list.slice(boundary)].map((part) => ({ ...match, [name]: part }));
};

/** Splits some matches into two elements, because the specification does not define how results are divided. */
export const splitMatches = (matches: readonly unknown[], dice: Dice): readonly unknown[] =>
  matches.flatMap((match): readonly unknown[] => {
    const parts = isPayloadObject(match) && dice.chance(0.2) ? splitMatch(match, dice) : undefined;
    return parts ?? [match];
  });
