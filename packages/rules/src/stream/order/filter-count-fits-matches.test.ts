import type { CredentialKind } from "@assay/evidence";
import { expect, test } from "vitest";
import { doneEvent, summarizeReport, wireEvent } from "../../testing/stream-report.ts";
import { chunksIn, linesIn, pathMatch } from "../../testing/searches.ts";

const id = "stream/filter-count-fits-matches";
const query = { q: "words" };
const filter = (count: unknown, value: unknown = "lang:go", exhaustive: unknown = true): object => ({
  value,
  label: "",
  count,
  exhaustive,
  kind: "lang",
});
const suggesting = (...filters: readonly unknown[]): string => wireEvent("filters", filters);
const final = (matchCount: unknown = 1, skipped: readonly object[] = []): string =>
  wireEvent("progress", { done: true, matchCount, skipped }) + doneEvent;
const found = (...matches: readonly unknown[]): string => wireEvent("matches", matches);
const two = found(linesIn("a", [1, 2]));
const once = "holds, 1 observed";
const isBroken = "broken 1 times, 1 observed";

test.each([
  { name: "as many as lines", body: suggesting(filter(2)) + two + final(), is: once },
  { name: "more than lines", body: suggesting(filter(3)) + two + final(), is: isBroken },
  { name: "as many as are counted", body: suggesting(filter(3)) + two + final(3), is: once },
  { name: "none", body: suggesting(filter(0)) + two + final(), is: once },
  { name: "a repository with too many", body: suggesting(filter(9, "repo:^a$")) + two + final(), is: isBroken },
  { name: "a branch of one", body: suggesting(filter(9, "repo:^a$@b")) + two + final(), is: "not observed" },
  { name: "another thing", body: suggesting(filter(9, "archived:yes")) + two + final(), is: "not observed" },
  { name: "no text", body: suggesting(filter(9, 5)) + two + final(), is: "not observed" },
  { name: "no number", body: suggesting(filter("9")) + two + final(), is: "not observed" },
  { name: "not everything", body: suggesting(filter(9, "lang:go", false)) + two + final(), is: "not observed" },
  { name: "too many, and later not", body: suggesting(filter(9)) + suggesting(filter(2)) + two + final(), is: once },
  {
    name: "as many as highlights",
    body:
      suggesting(filter(3)) +
      found(
        linesIn("a", [
          {
            lineNumber: 1,
            line: "a b c",
            offsetAndLengths: [
              [0, 1],
              [2, 1],
              [4, 1],
            ],
          },
        ]),
      ) +
      final(),
    is: once,
  },
  {
    name: "as many as ranges of chunks",
    body:
      suggesting(filter(2)) +
      found({ ...chunksIn("a", []), chunkMatches: [{ context: "", ranges: [{}, {}] }] }) +
      final(),
    is: once,
  },
  {
    name: "as many as ranges of the path",
    body: suggesting(filter(2)) + found({ ...pathMatch("a"), pathMatches: [{}, {}] }) + final(),
    is: once,
  },
  { name: "of symbols", body: suggesting(filter(9)) + found({ type: "symbol" }) + final(), is: "not observed" },
  { name: "of nothing", body: suggesting(filter(9)) + final(0), is: "not observed" },
  {
    name: "beside a limit",
    body: suggesting(filter(9)) + two + final(1, [{ reason: "shard-match-limit" }]),
    is: "not observed",
  },
  {
    name: "beside something that was skipped",
    body: suggesting(filter(9)) + two + final(1, [{ reason: "x" }]),
    is: "not observed",
  },
  {
    name: "beside a problem",
    body: wireEvent("alert", { title: "no" }) + suggesting(filter(9)) + two + final(),
    is: "not observed",
  },
  { name: "and no count came", body: suggesting(filter(9)) + two + final("1"), is: "not observed" },
])("of a search that suggests $name it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body, query })).toBe(is);
});

test.each([
  { display: "2", is: "not observed" },
  { display: "-1", is: isBroken },
])("of a search with display=$display it says: $is", ({ display, is }) => {
  expect(summarizeReport(id, { body: suggesting(filter(9)) + two + final(), query: { ...query, display } })).toBe(is);
});

test.each<CredentialKind>(["access-token", "none", "unknown"])("of a search as %s it says so, too", (credential) => {
  expect(summarizeReport(id, { body: suggesting(filter(9)) + two + final(), query, credential })).toBe(isBroken);
});

const inGo = found({ ...linesIn("a", [1]), language: "Go", repository: "host/a.b" });

test.each([
  { name: "its language", body: inGo + suggesting(filter(0)) + final(), is: "broken 1 times, 2 observed" },
  {
    name: "its language in quotes",
    body: inGo + suggesting(filter(0, 'lang:"go"')) + final(),
    is: "broken 1 times, 2 observed",
  },
  {
    name: "its repository",
    body: inGo + suggesting(filter(0, String.raw`repo:^host/a\.b$`)) + final(),
    is: "broken 1 times, 2 observed",
  },
  {
    name: "its language, where something was skipped",
    body: inGo + suggesting(filter(0)) + final(1, [{}]),
    is: "broken 1 times, 1 observed",
  },
  { name: "another language", body: inGo + suggesting(filter(0, "lang:c")) + final(), is: once },
  { name: "its language, of which nothing had come", body: suggesting(filter(0)) + inGo + final(), is: once },
  {
    name: "its language, and later some",
    body: inGo + suggesting(filter(0)) + suggesting(filter(1)) + final(),
    is: once,
  },
  {
    name: "its language, and perhaps more",
    body: inGo + suggesting(filter(0, "lang:go", false)) + final(),
    is: "not observed",
  },
  { name: "another thing", body: inGo + suggesting(filter(0, "archived:yes")) + final(), is: "not observed" },
])("a match of one language, and a count of 0 for $name: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body, query })).toBe(is);
});

const ofLanguage = (path: string, language: string): object => ({ ...linesIn(path, [1]), language });
const threeFiles = found(ofLanguage("a", "Go"), ofLanguage("b", "Go"), ofLanguage("a", "Go"), ofLanguage("c", "Rust"));

test.each([
  { name: "fewer than files of the language", count: 1, value: "lang:go", is: "broken 1 times, 2 observed" },
  { name: "as many as files of the language", count: 2, value: "lang:go", is: "holds, 2 observed" },
  {
    name: "fewer than files of the repository",
    count: 2,
    value: "repo:^a/repository$",
    is: "broken 1 times, 2 observed",
  },
  { name: "as many as files of the repository", count: 3, value: "repo:^a/repository$", is: "holds, 2 observed" },
  { name: "one, of a language of one file", count: 1, value: "lang:rust", is: once },
])("a filter that counts $name: $is", ({ count, value, is }) => {
  expect(summarizeReport(id, { body: threeFiles + suggesting(filter(count, value)) + final(9), query })).toBe(is);
  // It says that it counts everything, so it may come first.
  expect(summarizeReport(id, { body: suggesting(filter(count, value)) + threeFiles + final(9), query })).toBe(is);
});

test("a filter that does not count everything may count fewer than files", () => {
  const body = threeFiles + suggesting(filter(1, "lang:go", false)) + final(9);
  expect(summarizeReport(id, { body, query })).toBe("not observed");
});
