import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { scanForSecrets } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { httpTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { testContext } from "../testing/test-context.ts";
import { examine } from "./examine.ts";
import { examined, serverFor, tokensOf } from "./testing/examined.ts";

const folder = temporaryFolder();
const repo = sharedRepository();

const call = (args: readonly string[]) => callAssay(["doctor", ...args], { cwd: repo });

test("without an address it examines the embedded server and fits in 80 columns", async () => {
  const context = testContext({
    cwd: repo,
    terminal: { colour: false, width: 80, errorColumns: 80, isTty: false, isCi: false },
  });
  const code = await examine({ repo: [repo], verbose: true }, context);
  const { err, out } = context.written;
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("(embedded reference server)");
  expect(out).toMatch(/ ✓ streaming search {2,}served at/u);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("help has examples and fits on a screen", async () => {
  const { code, out } = await call(["--help"]);
  expect([code, out.includes("assay doctor --url https://"), out.trimEnd().split("\n").length <= 45]).toEqual([
    0,
    true,
    true,
  ]);
});

test.each([
  { name: "an unknown flag", args: ["--fautl", "x"], says: /--fault/ },
  { name: "no address", args: ["--url", "search"], says: /is not an http or https address/ },
  {
    name: "a fault for another server",
    args: ["--url", "http://127.0.0.1:1", "--fault", "bom"],
    says: /--fault is for the embedded/,
  },
  { name: "a timeout of zero", args: ["--timeout", "0"], says: /whole number from 1/ },
])("$name is wrong usage", async ({ args, says }) => {
  const { code, err, out } = await call(args);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(says);
});

describe("the evidence can be shared", () => {
  test("as a bundle without tokens, which can be judged", async () => {
    const server = await serverFor(repo, { fault: "comment" });
    const out = join(folder, "mailed");
    const { code } = await examined({ out }, tokensOf(server));
    const secrets = Object.entries(server.tokens).map(([name, value]) => ({ name, value }));
    expect([code, await scanForSecrets(out, secrets)]).toEqual([1, []]);
    expect(JSON.parse(readFileSync(join(out, "doctor.json"), "utf8"))).toMatchObject({ outcome: "failed" });
    const judged = await callAssay(["judge", out, "--json"], { cwd: folder });
    expect([judged.code, judged.out.includes("stream/two-fields")]).toEqual([1, true]);
  });

  test("and nothing is written without --out", async () => {
    const server = await serverFor(repo);
    await examined({}, tokensOf(server), { cwd: folder });
    expect(existsSync(join(folder, "reports"))).toBe(false);
  });
});

test("a token that a target echoes is not shown", async () => {
  const token = "sgp_0123456789012345678901234567890123456789";
  const url = await httpTarget((request, response) => {
    const said = request.headers.authorization ?? "nobody";
    response.writeHead(302, { location: `/sign-in/${said.replace("token ", "")}`, server: said }).end(said);
  });
  const { report } = await examined({ url }, { ASSAY_TOKEN: token });
  expect(JSON.stringify(report)).toContain("/sign-in/");
  expect(JSON.stringify(report)).not.toContain(token);
});

test("nor is part of a token at the end of a truncated text", async () => {
  const url = await httpTarget((request, response) => {
    const token = (request.headers.authorization ?? "nobody").replace("token ", "");
    const headers = { server: `${"A".repeat(30)}${token}`, "content-type": `text/event-stream; charset=${token}` };
    response.writeHead(200, headers).end("event: done\ndata: {}\n\n");
  });
  const { report } = await examined({ url }, { ASSAY_TOKEN: "sgp_0123456789012345678901234567890123456789" });
  expect(JSON.stringify(report)).toContain("AAAAAAAAAA");
  expect(JSON.stringify(report)).not.toContain("sgp_01234567");
});

test.each([
  { reason: "SIGINT", code: 130 },
  { reason: "SIGTERM", code: 143 },
])("$reason ends it with $code and shows the findings so far", async ({ code, reason }) => {
  const controller = new AbortController();
  const arrived = new Promise<string>((resolve) => {
    void httpTarget(() => controller.abort(reason)).then(resolve);
  });
  const { code: ended, line, report } = await examined({ url: await arrived }, {}, { signal: controller.signal });
  expect([ended, report.outcome, line("reachable")]).toEqual([code, "interrupted", expect.stringMatching(/^fine: /u)]);
});

test("a target that never answers ends the command in time", async () => {
  const url = await httpTarget(() => undefined);
  const late = wait(120_000, "late", { ref: false });
  const { code } = await Promise.race([examined({ url, timeout: 1 }), late.then(() => ({ code: -1 }))]);
  expect(code).toBe(3);
});
