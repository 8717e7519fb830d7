import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleScenario, getBuiltK6Path } from "../src/index.ts";
import { getAt } from "./manifest-folder.ts";
import { isRequired } from "./tool-on-path.ts";

const token = "sgp_0000_a_token_that_must_not_be_found";
const hosts = ["assay-load-1", "assay-load-2"];
const arrivals = 8;
const limitMs = 300_000;

const k6 = process.env["ASSAY_K6"] ?? getBuiltK6Path();
const hasK6 = existsSync(k6);
if (!hasK6 && isRequired("k6")) {
  throw new Error(`k6 was not built (${k6}), but ASSAY_REQUIRE requires it`);
}

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const match = { type: "path", path: "a.go", repositoryID: 1, repository: "code.example/a" };
const stream =
  event("matches", [match]) +
  event("progress", { done: true, matchCount: 1, durationMs: 1, skipped: [], repositoriesCount: 1 }) +
  event("done", {});

const planFor = (port: number): object => ({
  version: 2,
  scenario: "search-first-match",
  targets: { base: `http://127.0.0.1:${port}` },
  shape: "steady",
  ratePerSecond: arrivals / 2,
  durationMs: 2000,
  warmupMs: 0,
  queries: [{ name: "identifier", text: "createServer" }],
  timeoutMs: 5000,
  maxEventBytes: 1_048_576,
  maxVus: 10,
});

/** Every file in a folder and its subfolders, as text. */
const textsOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));

describe.skipIf(!hasK6)(`our k6 started by the operator${hasK6 ? "" : " (skipped: no k6)"}`, () => {
  let folder = "";
  let server: Server;
  let sha256 = "";
  const credentials = new Set<string | undefined>();

  /** Runs a command line of the operator in a pod. */
  const inPod = async (host: string, line: string): Promise<number | null> => {
    const child = spawn("sh", ["-c", line], {
      stdio: "ignore",
      timeout: limitMs,
      env: {
        PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
        HOME: folder,
        HOSTNAME: host,
        K6_NO_USAGE_REPORT: "true",
        K6_AUTO_EXTENSION_RESOLUTION: "false",
        ASSAY_K6_PROGRAM: k6,
        ASSAY_PLAN: join(folder, "plan.json"),
        ASSAY_RESULTS: join(folder, "results"),
        ASSAY_TOKEN: token,
      },
    });
    await once(child, "exit");
    return child.exitCode;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-pods-"));
    mkdirSync(join(folder, "bin"));
    symlinkSync(fileURLToPath(new URL("k6-in-pod.sh", import.meta.url)), join(folder, "bin/k6"));
    server = createServer(({ headers }, response) => {
      credentials.add(headers.authorization);
      response.writeHead(200, { "content-type": "text/event-stream" }).end(stream);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    writeFileSync(
      join(folder, "plan.json"),
      JSON.stringify(planFor(typeof address === "object" ? (address?.port ?? 0) : 0)),
    );
    ({ sha256 } = await bundleScenario({ scenario: "search-first-match", outFile: join(folder, "search.js") }));
  }, limitMs);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the initializer can load the scenario, and its archive contains no token", async () => {
    const archive = join(folder, "search.js.archived.tar");
    const line = `k6 archive ${join(folder, "search.js")} -e ASSAY_PLAN="${join(folder, "plan.json")}" -O ${archive} --no-thresholds`;
    expect(await inPod("assay-load-initializer-x", line)).toBe(0);
    expect(await inPod("assay-load-initializer-x", `k6 inspect --execution-requirements ${archive}`)).toBe(0);
    expect(readFileSync(archive, "latin1")).toContain("createServer");
    expect(readFileSync(archive, "latin1")).not.toContain(token);
    expect(existsSync(join(folder, "results"))).toBe(false);
  });

  test("two runners share the load, and each writes a complete folder of a load run without the token", async () => {
    const line = (segment: string): string =>
      `k6 run --quiet --execution-segment=${segment} --execution-segment-sequence=0,1/2,1 --no-thresholds ` +
      `${join(folder, "search.js")} --address= --tag instance_id=1 --tag testrun_name=assay-load`;
    mkdirSync(join(folder, "results"));
    const exits = await Promise.all(
      ["0:1/2", "1/2:1"].map(async (segment, index) => inPod(hosts[index] ?? "", line(segment))),
    );
    expect(exits).toEqual([0, 0]);
    const summaries: readonly unknown[] = hosts.map((host) =>
      JSON.parse(readFileSync(join(folder, "results", host, "k6-summary.json"), "utf8")),
    );
    expect(summaries.map((summary) => getAt(summary, "scenarioSha256"))).toEqual([sha256, sha256]);
    expect(summaries.map((summary) => getAt(summary, "segment"))).toEqual(["0:1/2", "1/2:1"]);
    expect(summaries.map((summary) => getAt(summary, "outcomes", "stream ok")).map(Number)).toEqual([4, 4]);
    expect(summaries.map((summary) => getAt(summary, "droppedIterations"))).toEqual([0, 0]);
    for (const host of hosts) {
      expect(readdirSync(join(folder, "results", host))).toEqual(
        expect.arrayContaining(["k6-summary.json", "plan.json", "samples.ndjson", "scenario.js"]),
      );
    }
    expect([...credentials]).toEqual([`token ${token}`]);
    expect(textsOf(join(folder, "results")).filter((text) => text.includes(token))).toEqual([]);
  });
});
