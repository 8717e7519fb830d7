import { seededRandom, times } from "./seeded-random.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { StreamProfile } from "./stream-profiles.ts";

/** Makes the objects that a stream carries. Equal seeds make equal objects. */
export interface MatchSource {
  /** The array of one `matches` event; all of its matches hold lines, or all hold chunks. */
  matches(count: number): readonly object[];
  /** The array of one `filters` event with `count` filters, always the same ones first; `matches` were sent before it. */
  filters(count: number, matches: number): readonly object[];
}

interface Pools {
  readonly random: SeededRandom;
  readonly profile: StreamProfile;
  readonly lines: readonly string[];
  readonly paths: readonly string[];
  readonly repositories: readonly Repository[];
}

interface Repository {
  readonly id: number;
  readonly name: string;
  readonly stars: number;
  readonly fetched: string;
  readonly commit: string;
}

const identifiers = (
  "ctx err req res cfg opts body buffer cache client config cursor decode encode entry event fetch file flush handler " +
  "header index input items key lock logger main merge name next node offset options output parse path payload peer " +
  "pending query queue reader result retry root row schema server session size source state status store stream " +
  "target timeout token total user value version visit worker writer"
).split(" ");
const keywords = "return if for while const let await throw new func package import type switch case break".split(" ");
const glue = [
  " ",
  " ",
  ".",
  "(",
  ")",
  ", ",
  " = ",
  " := ",
  " + ",
  " < ",
  " > ",
  " && ",
  " {",
  "}",
  ";",
  '("v1")',
  "[0]",
];
const foreign = [
  "größe in bytes",
  "返回所有的结果",
  "結果を待つ",
  "результат поиска",
  "🔍 treffer",
  "∀x ∈ S: x ≤ y",
  "naïve",
];
const folders = ["api", "app", "cmd", "core", "internal", "lib", "pkg", "server", "src", "test", "web"];
const endings = [".c", ".go", ".java", ".md", ".py", ".rs", ".ts"];
const languages = ["C", "Go", "Java", "Markdown", "Python", "Rust", "TypeScript"];

/** A source of its own for each stream. */
export function matchSource(profile: StreamProfile, seed: number): MatchSource {
  const random = seededRandom(seed);
  const pools: Pools = {
    random,
    profile,
    lines: times(3000, () => codeLine(random, profile)),
    paths: times(1500, () => filePath(random)),
    repositories: times(250, (index) => repository(random, index)),
  };
  return {
    matches(count) {
      const holdsLines = random.chance(0.5);
      return times(count, () => contentMatch(pools, holdsLines));
    },
    filters: (count, matches) =>
      pools.repositories.slice(0, count).map((repository) => filter(random, repository, matches)),
  };
}

function codeLine(random: SeededRandom, { nonAsciiShare }: StreamProfile): string {
  const words = times(random.integer(2, 12), () => random.pick(random.chance(0.2) ? keywords : identifiers));
  const code = words.map((word) => word + random.pick(glue)).join("");
  const comment = random.chance(nonAsciiShare) ? ` // ${random.pick(foreign)}` : "";
  return "\t".repeat(random.integer(0, 4)) + code + comment;
}

const filePath = (random: SeededRandom): string =>
  [
    ...times(random.integer(1, 5), () => random.pick(folders)),
    `${random.pick(identifiers)}_${random.pick(identifiers)}${random.pick(endings)}`,
  ].join("/");

const repository = (random: SeededRandom, index: number): Repository => ({
  id: 5000 + index,
  name: `code.example/${random.pick(identifiers)}/${random.pick(identifiers)}-${index}`,
  stars: random.integer(0, 60_000),
  fetched: new Date(Date.UTC(2026, 0, 1) + random.integer(0, 300 * 86_400_000)).toISOString(),
  commit: times(40, () => random.integer(0, 15).toString(16)).join(""),
});

function contentMatch(pools: Pools, holdsLines: boolean): object {
  const { random, profile } = pools;
  const { id, name, stars, fetched, commit } = random.pick(pools.repositories);
  const [usual, long] = profile.linesPerMatch;
  const count = random.integer(1, random.chance(0.8) ? usual : long);
  const path = random.pick(pools.paths);
  return {
    type: "content",
    path,
    pathMatches: random.chance(0.15) ? [pathRange(path)] : [],
    repositoryID: id,
    repository: name,
    repoStars: stars,
    repoLastFetched: fetched,
    branches: [random.chance(0.9) ? "" : "main"],
    commit,
    hunks: null,
    // Chunk matches are what `cm` asks for; some targets send the lines as well.
    chunkMatches: times(holdsLines ? 1 : count, () => chunkMatch(pools)),
    ...(holdsLines ? { lineMatches: times(count, () => lineMatch(pools)) } : {}),
    language: random.pick(languages),
  };
}

/** A line of a file: all files have the same lines, so that one number is one line in each of them. */
const lineAt = ({ lines }: Pools, number: number): string => lines[number % lines.length] ?? "";

function lineMatch(pools: Pools): object {
  const { random, lines } = pools;
  const lineNumber = random.integer(0, lines.length - 1);
  const line = lineAt(pools, lineNumber);
  return {
    line,
    lineNumber,
    offsetAndLengths: times(random.integer(1, 3), () => {
      const length = Math.min(random.integer(2, 12), line.length);
      return [random.integer(0, line.length - length), length];
    }),
  };
}

function chunkMatch(pools: Pools): object {
  const { random } = pools;
  const first = random.integer(0, 2000);
  const count = random.integer(1, 7);
  return {
    context: times(count, (index) => lineAt(pools, first + index)).join("\n"),
    contentStart: { offset: random.integer(0, 60_000), line: first, column: 0 },
    ranges: times(random.integer(1, 3), () => range(random, first + random.integer(0, count - 1))),
  };
}

/** All of the last part of a path. */
function pathRange(path: string): object {
  const [start, end] = [path.lastIndexOf("/") + 1, path.length];
  return { start: { offset: start, line: 0, column: start }, end: { offset: end, line: 0, column: end } };
}

function range(random: SeededRandom, line: number): object {
  const offset = random.integer(0, 60_000);
  const column = random.integer(0, 60);
  const length = random.integer(2, 12);
  return { start: { offset, line, column }, end: { offset: offset + length, line, column: column + length } };
}

/** Counts all matches that came so far: that is no fewer than the files of a repository, and no more than the matches of the stream. */
function filter(random: SeededRandom, { name }: Repository, count: number): object {
  return { value: `repo:^${name}$`, label: name, count, exhaustive: random.chance(0.5), kind: "repo" };
}
