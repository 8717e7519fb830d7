import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPayloadObject, type PayloadObject } from "./payload.ts";
import type { RunningServer } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { rawSearch } from "../testing/raw-client.ts";
import { finalProgressOf, objectsIn, objectsOf, strictEvents } from "../testing/strict-events.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({
    files: {
      "src/näh #1.ts": "// needle\nexport const needleCount = needle;\n  async function findNeedle() {}\nneedle();\n",
      "src/shop.py": "class Needle:\n    def needle_of(self, needle):\n        pass\n\nNEEDLES = 3\n",
      "src/other.ts": "export class Hay {}\n",
      "notes.txt": "class Needle {}\n",
    },
    remote: "https://git.example.org/team/symbols",
  });
  server = await startServer({ repos: [fixture.directory], seed: 2, outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

const matchesOf = async (q: string): Promise<readonly PayloadObject[]> =>
  objectsOf((await rawSearch(server, q)).body, "matches");

const symbolsOf = async (q: string): Promise<readonly string[]> =>
  (await matchesOf(q))
    .flatMap(({ symbols }) => objectsIn(symbols))
    .map(({ kind, line, name }) => `${String(kind)} ${String(name)} ${String(line)}`);

describe("type:symbol", () => {
  test("has all members that real instances send for a symbol", async () => {
    const [match] = await matchesOf("type:symbol needle file:ts$");
    expect(match).toEqual({
      type: "symbol",
      path: "src/näh #1.ts",
      repositoryID: expect.any(Number),
      repository: "git.example.org/team/symbols",
      repoLastFetched: "2024-01-02T03:04:05.000Z",
      branches: [""],
      commit: fixture.commit,
      language: "TypeScript",
      symbols: [
        {
          url: "/git.example.org/team/symbols/-/blob/src/n%C3%A4h%20%231.ts?L2:14-2:25",
          name: "needleCount",
          containerName: "",
          kind: "CONSTANT",
          line: 2,
        },
        {
          url: "/git.example.org/team/symbols/-/blob/src/n%C3%A4h%20%231.ts?L3:18-3:28",
          name: "findNeedle",
          containerName: "",
          kind: "FUNCTION",
          line: 3,
        },
      ],
    });
  });

  test.each([
    { q: "type:symbol needle lang:python", symbols: ["CLASS Needle 1", "METHOD needle_of 2", "CONSTANT NEEDLES 5"] },
    { q: "type:symbol needle case:yes lang:python", symbols: ["METHOD needle_of 2"] },
    { q: "type:symbol /^class N/", symbols: ["CLASS Needle 1"] },
    { q: "type:symbol pass", symbols: [] },
    {
      q: "type:symbol needle or hay -file:n.h",
      symbols: ["CLASS Hay 1", "CLASS Needle 1", "METHOD needle_of 2", "CONSTANT NEEDLES 5"],
    },
    { q: "type:symbol file:other", symbols: ["CLASS Hay 1"] },
    { q: "type:symbol hay select:symbol.function", symbols: [] },
    { q: "needle select:symbol.function", symbols: ["FUNCTION findNeedle 3"] },
    { q: "type:symbol file:notes Needle", symbols: [] },
  ])("finds the symbols of $q", async ({ q, symbols }) => {
    expect(await symbolsOf(q)).toEqual(symbols);
  });

  test("counts symbols and suggests their kinds", async () => {
    const { body } = await rawSearch(server, "type:symbol needle");
    expect(finalProgressOf(body)).toMatchObject({ matchCount: 5, repositoriesCount: 1 });
    const last = strictEvents(body).findLast(({ name }) => name === "filters");
    expect(objectsIn(last?.data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ value: "type:symbol", label: "Symbols", count: 5, kind: "type" }),
        expect.objectContaining({ value: "select:symbol.constant", label: "Constant", count: 2, kind: "symbol type" }),
      ]),
    );
  });

  test("respects count, even inside a file", async () => {
    const { body } = await rawSearch(server, "type:symbol needle lang:python count:2");
    expect(finalProgressOf(body)).toMatchObject({ matchCount: 2, skipped: [{ reason: "shard-match-limit" }] });
    expect(objectsIn(objectsOf(body, "matches")[0]?.["symbols"])).toHaveLength(2);
  });

  test("suggests only documented kinds with the observed vocabulary", async () => {
    const observed = await startServer({ repos: [fixture.directory], vocabulary: "observed", outputs });
    const { body } = await rawSearch(observed, "type:symbol needle");
    expect(new Set(objectsOf(body, "filters").map((one) => (isPayloadObject(one) ? one["kind"] : "")))).toEqual(
      new Set(["type", "lang", "repo"]),
    );
    await observed.close();
  });
});
