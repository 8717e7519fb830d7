import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isProving } from "@assay/tools/proving";
import type { LoadResult } from "@assay/results";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getBuiltK6Path } from "@assay/scenarios";
import { callAssay } from "../testing/call-assay.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { type PassingServer, startPassing } from "../testing/passing-server.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const startServer = serverHost();
const realK6 = process.env["ASSAY_K6"] ?? (existsSync(getBuiltK6Path()) ? getBuiltK6Path() : "k6");
/** Nothing listens there, so every request to it fails. */
const nowhere = "http://127.0.0.1:1";

let token = "";
let target: PassingServer;
let proxy: PassingServer;
beforeAll(async () => {
  const server = await startServer({ repos: [sharedRepository()], vocabulary: "observed", latency: "instant" });
  token = server.token;
  target = await startPassing(Number(new URL(server.url).port), "target");
  proxy = await startPassing(Number(new URL(target.url).port), "proxy");
});
afterAll(async () => {
  await Promise.all([target.close(), proxy.close()]);
});

const short = ["--duration", "2s", "--warmup", "0s", "--rate", "5", "--limits", "staging", "--confirm-host"];
const commands: Readonly<Record<string, (host: string) => readonly string[]>> = {
  run: () => ["run", "--interface", "stream", "--rule", "done-is-last", "--limits", "staging"],
  doctor: () => ["doctor"],
  "load of searches": (host) => ["load", "search-first-match", ...short, host],
  "load of conversations": (host) => ["load", "conversation-poll", ...short, host, "--questions", "30"],
};

let number = 0;
async function counts(command: string, host: string, env: Readonly<Record<string, string>>) {
  number += 1;
  const args = commands[command]?.(host) ?? [];
  const out = command === "doctor" ? [] : ["--out", `run-${number}`];
  const url = `http://${host}:${new URL(target.url).port}`;
  const {
    code,
    out: shown,
    err,
  } = await callAssay([...args, "--url", url, ...out], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ASSAY_K6: realK6, ASSAY_TOKEN: token, ...env },
  });
  const seen = target.readCounts();
  expect([0, 1, 3, 4], `${shown}${err}`).toContain(code);
  expect(proxy.readCounts().byProxy, `${shown}${err}`).toBe(seen.byProxy);
  return { ...seen, okUnderLoad: command.startsWith("load") ? okIn(`run-${number}`) : undefined };
}

/** How many searches or conversations of k6 itself went well. */
function okIn(folder: string): number {
  const { outcomes }: LoadResult = JSON.parse(readFileSync(join(cwd, folder, "load.json"), "utf8"));
  return (outcomes["stream"]?.ok ?? 0) + (outcomes["conversation"]?.ok ?? 0);
}

const title = hasK6() ? "" : " (no load: no k6)";
const always = ["run", "doctor", "load of searches"];
const all = (isProving ? Object.keys(commands) : always).filter((name) => hasK6() || !name.startsWith("load"));

describe.each(all)(`requests of %s${title}`, (command) => {
  // Go reads the names in upper case first, and this project those in lower case. It does not treat 0.0.0.0 as an address of this machine.
  test("go by the proxy of the lower-case name", { tags: always.includes(command) ? [] : ["more"] }, async () => {
    const env = { http_proxy: proxy.url, HTTP_PROXY: nowhere };
    const { byProxy, direct, okUnderLoad } = await counts(command, "0.0.0.0", env);
    expect([byProxy > 0, direct, okUnderLoad === 0]).toEqual([true, 0, false]);
  });

  test("bypass it according to NO_PROXY", { tags: "proof" }, async () => {
    const env = { HTTP_PROXY: proxy.url, no_proxy: "one.test , 0.0.0.0/8", NO_PROXY: "one.test" };
    const { byProxy, direct, okUnderLoad } = await counts(command, "0.0.0.0", env);
    expect([byProxy, direct > 0, okUnderLoad === 0]).toEqual([0, true, false]);
  });

  test("go past it on this machine", { tags: "proof" }, async () => {
    const { byProxy, direct, okUnderLoad } = await counts(command, "127.0.0.1", { HTTP_PROXY: proxy.url });
    expect([byProxy, direct > 0, okUnderLoad === 0]).toEqual([0, true, false]);
  });

  test("go by SRC_PROXY on this machine as well", { tags: "proof" }, async () => {
    const env = { SRC_PROXY: proxy.url, NO_PROXY: "*" };
    const { byProxy, direct, okUnderLoad } = await counts(command, "127.0.0.1", env);
    expect([byProxy > 0, direct, okUnderLoad === 0]).toEqual([true, 0, false]);
  });
});
