import { expect, test } from "vitest";
import { searchStreamValidators } from "./search-stream-validators.ts";

// In a file of its own: what other tests put through the validators would change how the engine compiles them.

const position = (offset: number): object => ({ offset, line: 1, column: 3 });
const lineMatch = (lineNumber: number): object => ({
  line: "  const total = items.reduce((sum, item) => sum + item.price, 0);",
  lineNumber,
  offsetAndLengths: [
    [8, 5],
    [30, 3],
  ],
});
const contentMatch = (index: number): object => ({
  type: "content",
  path: `packages/shop/src/cart/total-${index}.ts`,
  pathMatches: [{ start: position(4), end: position(8) }],
  repositoryID: index,
  repository: "github.example/shop/backend",
  repoStars: 1200,
  repoLastFetched: "2024-05-17T08:30:00.123456Z",
  branches: ["main"],
  commit: "0123456789abcdef0123456789abcdef01234567",
  hunks: null,
  lineMatches: Array.from({ length: 1 + (index % 4) }, (_, line) => lineMatch(line)),
  language: "TypeScript",
});

const timeOf = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

test("checking a hundred content matches costs less than a third of parsing them", () => {
  const json = JSON.stringify(Array.from({ length: 100 }, (_, index) => contentMatch(index)));
  const parsed: unknown = JSON.parse(json);
  const { MatchesEvent } = searchStreamValidators();
  expect(MatchesEvent.errors(parsed)).toEqual([]);
  // The shortest of many is what remains when the machine is busy with something else.
  const rounds = Array.from({ length: 500 }, () => ({
    parsing: timeOf(() => JSON.parse(json)),
    checking: timeOf(() => MatchesEvent.check(parsed)),
  }));
  const parsing = Math.min(...rounds.map((round) => round.parsing));
  const checking = Math.min(...rounds.map((round) => round.checking));
  expect(checking / parsing).toBeLessThan(1 / 3);
});
