import { expect, test } from "vitest";
import type { SearchResult } from "../search/search-result.ts";
import { createFilterTally } from "./filter-tally.ts";

const repositoryResult = (name: string): SearchResult => ({
  kind: "repo",
  repository: { name, id: 1, directory: "/x", files: [] },
  nameSpans: [],
});

test("at most a thousand repositories are listed, the most frequent ones first", () => {
  const tally = createFilterTally(() => true);
  Array.from({ length: 1200 }, (_, index) => repositoryResult(`local/${index}`)).forEach(tally.add);
  tally.add(repositoryResult("local/1199"));
  const list = tally.list(true);
  expect(list.filter(({ kind }) => kind === "repo")).toHaveLength(1000);
  expect(list.slice(0, 2).map(({ value, count }) => [value, count])).toEqual([
    ["type:repo", 1201],
    ["repo:^local/1199$", 2],
  ]);
});

test("names are quoted as regular expressions", () => {
  const tally = createFilterTally(() => true);
  tally.add(repositoryResult("host.org/a+b"));
  expect(tally.list(false).map(({ value }) => value)).toContain(String.raw`repo:^host\.org/a\+b$`);
});
