import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../server-options.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { type RawAnswer, rawSearch } from "../testing/raw-client.ts";
import { sampleFiles } from "../testing/sample-files.ts";
import { serversOver } from "../testing/servers-over.ts";

let fixture: GitFixture;

beforeAll(() => {
  const few = Object.entries(sampleFiles).filter(([path]) => !/^bulk\/part-(?!0)|long/u.test(path));
  fixture = createGitFixture({ files: Object.fromEntries(few) });
});

afterAll(() => {
  fixture.remove();
});

const withServer = serversOver(() => fixture, { variations: true });

const textOf = ({ body }: RawAnswer): string => body.toString("latin1").replaceAll(/("durationMs": ?)\d+/gu, "$10");

const threeSearches = async (server: RunningServer): Promise<readonly string[]> => [
  textOf(await rawSearch(server, "needle")),
  textOf(await rawSearch(server, "needle")),
  textOf(await rawSearch(server, "haystack")),
];

describe("a server that varies its streams", () => {
  test("repeats the first and the second answer to a query for a seed", async () => {
    const [first, again, other] = await Promise.all(
      [8, 8, 9].map((seed) => withServer({ seed }, (server) => threeSearches(server))),
    );
    expect(first).toEqual(again);
    expect(new Set([...(first ?? []), ...(other ?? [])]).size).toBe(6);
  });

  test("answers a query independently of earlier requests", async () => {
    const alone = await withServer({ seed: 8 }, (server) => rawSearch(server, "haystack"));
    const [, , third] = await withServer({ seed: 8 }, threeSearches);
    expect(textOf(alone)).toBe(third);
  });

  test("never repeats itself without a seed", async () => {
    const answers = await Promise.all([1, 2].map(() => withServer({}, (server) => rawSearch(server, "needle"))));
    expect(new Set(answers.map(textOf)).size).toBe(2);
  });

  test("answers every search in full, with a permitted head", async () => {
    const answers = await withServer({ seed: 1 }, (server) =>
      Promise.all(Array.from({ length: 40 }, (_, index) => rawSearch(server, "needle", { index: `${index}` }))),
    );
    expect(answers.filter(({ end, status }) => end !== "complete" || status !== 200)).toEqual([]);
    expect(answers.filter((answer) => !/data: ?\{ ?\}\n(?:event: ?done\n)?\n$/u.test(textOf(answer)))).toEqual([]);
    const types = new Set(answers.map(({ headers }) => headers["content-type"]));
    expect([...types].filter((type) => type?.startsWith("text/event-stream") !== true)).toEqual([]);
    expect(types.size).toBe(3);
  });

  test("counts the same in every answer, and sends a path match in one form", async () => {
    const shown = async (seed: number): Promise<readonly (readonly string[])[]> =>
      withServer({ seed }, (server) =>
        Promise.all(
          ["1", "2", "3", "4"].map(async (index) => {
            const text = textOf(await rawSearch(server, "needle type:path", { index }));
            const count = /"done": ?true[^\n]*"matchCount": ?(\d+)|"matchCount": ?(\d+)[^\n]*"done": ?true/u.exec(text);
            return [count?.[1] ?? count?.[2] ?? "none", `${/"by reference"/u.test(text)}`];
          }),
        ),
      );
    const all = await Promise.all([1, 2, 3, 4, 5].map(shown));
    expect(all.map((answers) => new Set(answers.map((answer) => answer.join())).size)).toEqual(all.map(() => 1));
    expect(new Set(all.flat().map(([count]) => count)).size).toBeGreaterThan(1);
  });

  test("applies faults after variations", async () => {
    const fault = "no-done";
    const answer = await withServer({ seed: 1, fault }, (server) => rawSearch(server, "needle"));
    expect(textOf(answer)).not.toContain("done\n");
  });
});
