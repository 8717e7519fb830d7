import { alertLevels, searchStreamOpenApi } from "@assay/contract";
import { isRecord, member } from "@assay/reading";
import { addMember, removeMember, replaceValue } from "@assay/evidence";
import type { JsonText, Splice } from "@assay/evidence";
import {
  editBody,
  findChunkMatches,
  elementsWithPointers,
  eventMutation,
  eventSites,
  schemaMutations,
  siteMutation,
} from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import { matchMutation, requestsChunks } from "./search-edits.ts";

const needsMatches = "a search that finds something";
const needsContentMatches = "a search that finds lines in files";

const needsPlainWord = "a search for one plain word, without `cm`, that finds lines";
const needsPathRange = "a search that finds something in the path of a file";

const contentSites = eventSites("matches", (value) =>
  elementsWithPointers(value).filter(([, match]) => member(match, "type") === "content"),
);
const matchSites = eventSites("matches", (value) => elementsWithPointers(value));

const elementSites = (name: string) =>
  eventSites("matches", (value) =>
    elementsWithPointers(value).flatMap(([pointer, match]) =>
      elementsWithPointers(member(match, name), `${pointer}/${name}`),
    ),
  );

const chunkSites = eventSites("matches", (value) =>
  elementsWithPointers(value).flatMap(([pointer, match]) => findChunkMatches(match, pointer)),
);

/** Returns the line matches in the matches of an event, with their pointers. */
const findLineMatches = (value: unknown) =>
  elementsWithPointers(value).flatMap(([pointer, match]) =>
    elementsWithPointers(member(match, "lineMatches"), `${pointer}/lineMatches`),
  );

const setLineNumber = (json: JsonText, lineMatch: string, number: number): Splice | undefined =>
  replaceValue(json, `${lineMatch}/lineNumber`, number);

/** Pairs of an offset and a length in content matches. */
const pairSites = eventSites("matches", (value) =>
  findLineMatches(value).flatMap(([at, line]) =>
    elementsWithPointers(member(line, "offsetAndLengths"), `${at}/offsetAndLengths`),
  ),
);

/** Returns the sites of positions in the ranges of paths. */
const positionSites = (end: "start" | "end") =>
  eventSites("matches", (value) =>
    elementsWithPointers(value).flatMap(([pointer, match]) =>
      elementsWithPointers(member(match, "pathMatches"), `${pointer}/pathMatches`).map(
        ([at, range]) => [`${at}/${end}`, member(range, end)] as const,
      ),
    ),
  );

const skippedSites = eventSites("progress", (value) => elementsWithPointers(member(value, "skipped"), "/skipped"));
const filterSites = eventSites("filters", (value) => elementsWithPointers(value));

const { Progress, Skipped, FilterSuggestion, ContentMatch, LineMatch, Position } =
  searchStreamOpenApi.components.schemas;

/** Returns a mutation that replaces a value. */
const replacedValueMutation = (
  [pointer, value]: readonly [pointer: string, value: unknown],
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  sites: Parameters<typeof siteMutation>[1],
): Mutation =>
  siteMutation({ ...mutation, splice: (site) => replaceValue(site.json, `${site.pointer}${pointer}`, value) }, sites);

/** Returns a mutation that replaces a hash or a URL by an empty string. */
const emptyValueMutation = (
  name: "commit" | "trace",
  object: string,
  sites: Parameters<typeof siteMutation>[1],
): Mutation =>
  siteMutation(
    {
      name: `sends an empty \`${name}\` in ${object}`,
      needs: `${object} with \`${name}\``,
      isOptional: true,
      effect: `sent an empty \`${name}\` in ${object}`,
      splice: ({ json, pointer, value }) =>
        member(value, name) === undefined ? undefined : replaceValue(json, `${pointer}/${name}`, ""),
    },
    sites,
  );

/** Returns the levels in an alert with their pointers, at any depth up to `depth`. */
const findLevels = (value: unknown, pointer = "", depth = 3): readonly (readonly [pointer: string, level: string])[] =>
  (isRecord(value) ? Object.entries(value) : Array.isArray(value) ? [...value.entries()] : []).flatMap(
    ([name, inner]) => {
      const at = `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return typeof inner === "string"
        ? isListed(inner)
          ? [[at, inner] as const]
          : []
        : depth > 0
          ? findLevels(inner, at, depth - 1)
          : [];
    },
  );

/** Replaces a level in `level` by `fatal` and adds another member with the listed level. */
const replaceByFatal = (json: JsonText, pointer: string, level: string): readonly (Splice | undefined)[] =>
  pointer.endsWith("/level")
    ? [addMember(json, pointer.slice(0, -"/level".length), ["heading", level]), replaceValue(json, pointer, "fatal")]
    : [];

const isListed = (word: string): boolean => (alertLevels as readonly string[]).includes(word);

/** Returns a mutation that changes each level in an alert. */
const levelMutation = (
  name: string,
  effect: string,
  splice: (json: JsonText, pointer: string, level: string) => Splice | undefined | readonly (Splice | undefined)[],
): Mutation => ({
  name,
  needs: "a search that sends an alert",
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      for (const { event, data } of events().filter((each) => each.event.name === "alert")) {
        const splices = findLevels(event.value).flatMap(([pointer, level]) => splice(data, pointer, level));
        yield* editBody(exchange, effect, splices);
      }
    }
  },
});

/** Mutations for the rules about the data of single events. */
export const eventDataMutations = {
  "stream/matches-is-an-array": [
    replacedValueMutation(
      ["", {}],
      {
        name: "sends an object instead of the array",
        needs: needsMatches,
        effect: "sent `{}` as the data of `matches`",
      },
      eventSites("matches"),
    ),
    replacedValueMutation(
      ["", "a match"],
      { name: "sends an element that is not an object", needs: needsMatches, effect: "sent text instead of a match" },
      matchSites,
    ),
    replacedValueMutation(
      ["/type", 7],
      { name: "sends a type that is not text", needs: needsMatches, effect: "sent a number as the type of a match" },
      matchSites,
    ),
    siteMutation(
      {
        name: "leaves out the type",
        needs: needsMatches,
        effect: "left the type of a match out",
        splice: ({ json, pointer }) => removeMember(json, `${pointer}/type`),
      },
      matchSites,
    ),
  ],
  "stream/match-type-is-listed": [
    replacedValueMutation(
      ["/type", "notebook"],
      { name: "sends a type that is not listed", needs: needsMatches, effect: "sent a match of the type `notebook`" },
      matchSites,
    ),
  ],
  "stream/content-match-fits-schema": [
    ...schemaMutations({
      schema: ContentMatch,
      sites: contentSites,
      objectName: "a content match",
      needs: needsContentMatches,
      ignoredMembers: ["type"],
    }),
    ...schemaMutations({
      schema: LineMatch,
      sites: elementSites("lineMatches"),
      objectName: "a line match",
      needs: "a search without `cm` that finds lines in files",
    }).map((mutation) => ({ ...mutation, isOptional: true as const })),
    ...schemaMutations({
      schema: Position,
      sites: positionSites("start"),
      objectName: "a position",
      needs: "a content match with `pathMatches`",
    }).map((mutation) => ({ ...mutation, isOptional: true as const })),
    emptyValueMutation("commit", "a content match", contentSites),
  ],
  "stream/progress-fits-schema": [
    ...schemaMutations({
      schema: Progress,
      sites: eventSites("progress"),
      objectName: "a progress",
      needs: "a search that sends `progress`",
    }),
    emptyValueMutation("trace", "a progress", eventSites("progress")),
  ],
  "stream/skipped-fits-schema": schemaMutations({
    schema: Skipped,
    sites: skippedSites,
    objectName: "a skipped entry",
    needs: "a progress with `skipped`",
  }),
  "stream/filters-fit-schema": [
    replacedValueMutation(
      ["", {}],
      {
        name: "sends an object instead of the array",
        needs: "a search that sends `filters`",
        effect: "sent `{}` as the data of `filters`",
      },
      eventSites("filters"),
    ),
    ...schemaMutations({
      schema: FilterSuggestion,
      sites: filterSites,
      objectName: "a filter",
      needs: "a search that sends `filters`",
    }),
  ],
  "stream/alert-is-an-object": [
    replacedValueMutation(
      ["", "an alert"],
      {
        name: "sends text instead of the object",
        needs: "a search that sends `alert`",
        effect: "sent text as the data of `alert`",
      },
      eventSites("alert"),
    ),
  ],
  "stream/chunk-match-has-context": [
    siteMutation(
      {
        name: "leaves out `context`",
        removesObservations: true,
        needs: "a search with `cm=true` that finds lines in files",
        effect: "left `context` out of a chunk match",
        splice: ({ json, pointer }) => removeMember(json, `${pointer}/context`),
      },
      chunkSites,
    ),
    siteMutation(
      {
        name: "names it `content`",
        isOptional: true,
        needs: "a search with `cm=true` that finds lines in files",
        effect: "sent the text of a chunk match in `content`",
        splice: ({ json, pointer, value }) =>
          isRecord(value) && !Object.hasOwn(value, "content")
            ? replaceValue(json, pointer, renameMember(value, "context", "content"))
            : undefined,
      },
      chunkSites,
    ),
  ],
  "stream/content-match-shows-lines": [
    siteMutation(
      {
        name: "leaves out `lineMatches`",
        needs: "a search without `cm` that finds lines in files",
        effect: "left `lineMatches` out of a content match",
        splice: ({ json, pointer }) => removeMember(json, `${pointer}/lineMatches`),
      },
      contentSites,
    ),
  ],
  "stream/lines-have-their-own-numbers": [
    eventMutation(
      {
        name: "gives every line the same number",
        needs: "a search without `cm` that finds two different short lines of a file",
        effect: "gave every line of the matches the number 7",
        splices: ({ event, data }) => findLineMatches(event.value).map(([at]) => setLineNumber(data, at, 7)),
      },
      ({ event }) => event.name === "matches" && findLineMatches(event.value).length > 0,
    ),
  ],
  "stream/line-numbers-fit-chunks": [
    matchMutation(
      {
        name: "numbers the lines of a match from 0",
        needs: "a search for one plain word that finds two lines of a file, and the same with `cm=true`",
        effect: "numbered the lines of each match from 0",
      },
      (parameters) => !requestsChunks(parameters),
      ({ match, pointer, data }) =>
        elementsWithPointers(member(match, "lineMatches"), `${pointer}/lineMatches`).map(([at], index) =>
          setLineNumber(data, at, index),
        ),
    ),
  ],
  "stream/line-pairs-stay-in-the-line": [
    replacedValueMutation(
      ["/0", 100_000],
      { name: "sends an offset from another start", needs: needsPlainWord, effect: "sent an offset beyond the line" },
      pairSites,
    ),
    replacedValueMutation(
      ["/1", 100_000],
      { name: "sends the end instead of the length", needs: needsPlainWord, effect: "sent a length beyond the line" },
      pairSites,
    ),
    replacedValueMutation(
      ["/0", -1],
      { name: "sends a negative offset", needs: needsPlainWord, effect: "sent a negative offset" },
      pairSites,
    ),
  ],
  "stream/line-pairs-mark-the-word": [
    replacedValueMutation(
      ["/1", 0],
      { name: "marks nothing", needs: needsPlainWord, effect: "sent the length 0" },
      pairSites,
    ),
    siteMutation(
      {
        name: "marks other text of the line",
        needs: needsPlainWord,
        effect: "sent an offset that is three off",
        splice: ({ json, pointer, value }) => {
          const offset = Number(Array.isArray(value) ? value[0] : Number.NaN);
          return replaceValue(json, `${pointer}/0`, offset >= 3 ? offset - 3 : offset + 3);
        },
      },
      pairSites,
    ),
  ],
  "stream/path-ranges-stay-in-the-path": [
    replacedValueMutation(
      ["/offset", 100_000],
      { name: "ends after the path", needs: needsPathRange, effect: "sent a range that ends after its path" },
      positionSites("end"),
    ),
    replacedValueMutation(
      ["/offset", 100_000],
      { name: "starts after its end", needs: needsPathRange, effect: "sent a range that starts after its end" },
      positionSites("start"),
    ),
  ],
  "stream/alert-level-is-listed": [
    levelMutation("sends a level that is not listed", "sent an alert of the level `fatal`", (json, pointer) =>
      replaceValue(json, pointer, "fatal"),
    ),
    levelMutation("spells a level in capitals", "sent the level of an alert in capitals", (json, pointer, level) =>
      replaceValue(json, pointer, level.toUpperCase()),
    ),
    {
      ...levelMutation(
        "sends a level that is not listed next to a word that is",
        "sent an alert of the level `fatal`",
        replaceByFatal,
      ),
      isOptional: true,
    },
    levelMutation("sends null as a level", "sent null as the level of an alert", (json, pointer) =>
      replaceValue(json, pointer, null),
    ),
    levelMutation("leaves the level out", "left the level of an alert out", (json, pointer) =>
      removeMember(json, pointer),
    ),
  ],
} as const satisfies MutationsByRule;

const renameMember = (value: Readonly<Record<string, unknown>>, from: string, to: string): unknown =>
  Object.fromEntries(Object.entries(value).map(([name, inner]) => [name === from ? to : name, inner]));
