import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { grammarViolations } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { largeEvents, largeStream, smallEvents, smallStream, streamHead } from "./canned-stream.ts";
import { createEmitter } from "./emitter.ts";
import { k6ForTests } from "./k6-for-tests.ts";

const fixtureFolder = new URL("../../stream-grammar/fixtures/", import.meta.url);
const scripts = fileURLToPath(new URL("scripts/", import.meta.url));
const repeats = 5;
const users = 12;

interface Expected {
  readonly events: number;
  readonly violations: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
}
interface Seen extends Expected {
  readonly name: string;
  readonly outcome: string;
}

/** What k6 takes as no answer of the API, while the grammar alone has no opinion of what else it may be. */
const webPage = "violates.two-fields.html-page.sse";

const isKept = (violations: Expected["violations"]): boolean => Object.keys(violations).length === 0;

const committed: Readonly<Record<string, Expected>> = JSON.parse(
  readFileSync(new URL("expected.json", fixtureFolder), "utf8"),
);

/** The committed streams, and those of the benchmark, which keep every rule. */
const expected = new Map<string, Expected>([
  ...Object.entries(committed),
  ["canned-small", { events: smallEvents, violations: {}, observations: {} }],
  ["canned-large", { events: largeEvents, violations: {}, observations: {} }],
]);
const streams = new Map<string, Buffer>([
  ...readdirSync(new URL("streams/", fixtureFolder)).map((name): [string, Buffer] => [
    name,
    readFileSync(new URL(`streams/${name}`, fixtureFolder)),
  ]),
  ["canned-small", Buffer.concat([streamHead, smallStream()])],
  ["canned-large", Buffer.concat([streamHead, largeStream()])],
]);

/** Everything that k6 said of the streams, read in parallel again and again. */
async function underLoad(k6: string): Promise<readonly Seen[]> {
  const folder = mkdtempSync(join(tmpdir(), "assay-faults-"));
  const { server } = createEmitter({ fixtures: streams });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const log = join(folder, "k6.log");
  try {
    await promisify(execFile)(
      k6,
      [
        "run",
        "--quiet",
        "--address",
        "",
        "--log-format",
        "raw",
        "--log-output",
        `file=${log}`,
        join(scripts, "faults.js"),
      ],
      {
        cwd: folder,
        timeout: 300_000,
        env: {
          PATH: process.env["PATH"],
          HOME: folder,
          K6_NO_USAGE_REPORT: "true",
          K6_AUTO_EXTENSION_RESOLUTION: "false",
          BENCH_URL: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/fixture`,
          BENCH_FIXTURES: JSON.stringify([...streams.keys()]),
          BENCH_VUS: String(users),
          BENCH_REPEATS: String(repeats),
        },
      },
    );
    return readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): Seen => JSON.parse(line));
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test("every code of the grammar is injected by some stream, and every stream has its codes written down", () => {
  const injected = new Set([...expected.values()].flatMap(({ violations }) => Object.keys(violations)));
  expect([...injected].sort()).toEqual(Object.keys(grammarViolations).sort());
  expect([...expected.keys()].sort()).toEqual([...streams.keys()].sort());
});

const k6 = k6ForTests();
describe.skipIf(k6 === undefined)(`faults under load${k6 === undefined ? " (skipped: no k6)" : ""}`, () => {
  let seen: readonly Seen[] = [];
  beforeAll(async () => {
    seen = await underLoad(k6 ?? "");
  });
  afterAll(() => {
    seen = [];
  });

  test("nothing is left out", () => {
    expect(seen).toHaveLength(streams.size * repeats);
  });

  test.each([...expected].map(([name, of]) => ({ name, ...of })))(
    "$name is reported each time with exactly its codes",
    ({ name, events, violations: ofGrammar, observations }) => {
      const isPage = name === webPage;
      const violations = isPage ? {} : ofGrammar;
      const outcome = isPage ? "bad-status" : isKept(violations) ? "ok" : "violation";
      const all = seen.filter((one) => one.name === name);
      expect(all).toEqual(Array.from({ length: repeats }, () => ({ name, outcome, events, violations, observations })));
    },
  );
});
