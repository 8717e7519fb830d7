import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ClientName } from "./measurements.ts";

/** A client that can be run here. */
export interface Client {
  readonly name: ClientName;
  readonly k6: string;
  /** File of `scripts/`. */
  readonly script: string;
  /** Whether the exchanges are kept on disk, as `assay load` has it. */
  readonly keeps?: true;
}

const buildMs = 10 * 60_000;
const pathTo = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Our k6: the variable ASSAY_K6, else the built one. Throws a sentence when there is none. */
export function ourK6(env: NodeJS.ProcessEnv): string {
  const path = env["ASSAY_K6"] ?? pathTo("../../../../scenarios/k6/bin/k6");
  if (!existsSync(path)) {
    throw new Error(`${path} does not exist: build it with \`npm run k6:build\`, or name another by ASSAY_K6`);
  }
  return path;
}

/** The peer, built from its pinned sources; Go keeps what it compiled, so only the first time takes long. Throws without Go. */
export function builtPeer(): string {
  const output = pathTo("k6-peer");
  execFileSync("go", ["build", "-trimpath", "-ldflags", "-s -w", "-o", output, "."], {
    cwd: pathTo("../peer/"),
    env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly -buildvcs=false" },
    stdio: ["ignore", "inherit", "inherit"],
    timeout: buildMs,
  });
  return output;
}

/** Ours first; xk6-sse where ASSAY_BENCH_XK6_SSE names a k6 that has it. */
export function clientsOf(env: NodeJS.ProcessEnv): readonly Client[] {
  const k6 = ourK6(env);
  const xk6Sse = env["ASSAY_BENCH_XK6_SSE"] ?? "";
  return [
    { name: "assay", k6, script: "assay.js" },
    { name: "assay-kept", k6, script: "assay.js", keeps: true },
    { name: "peer", k6: builtPeer(), script: "peer.js" },
    ...(xk6Sse === "" ? [] : [{ name: "xk6-sse", k6: xk6Sse, script: "xk6-sse.js" } as const]),
    { name: "http-get", k6, script: "http-get.js" },
  ];
}
