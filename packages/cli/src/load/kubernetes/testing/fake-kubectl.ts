import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Kubectl, KubectlEnd } from "../kubectl.ts";
import { HarnessError } from "@assay/contract";

/** A cluster that a test plays. */
export interface FakeCluster {
  /** The objects that each call of `get` returns. The last ones are returned from then on. */
  readonly snapshots: readonly (readonly unknown[])[];
  /** Files in the claim, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** What each pod has printed, except the coordinator. */
  readonly log?: string;
  /** What the coordinator has printed. */
  readonly coordinatorLog?: string;
  /** Number of copies in which the files are cut. */
  readonly truncatedCopies?: number;
  /** Reports whether a call fails. `count` is the number of calls so far. */
  readonly refuses?: (args: readonly string[], count: number) => boolean;
}

/** A call of kubectl. */
export interface FakeCall {
  readonly args: readonly string[];
  readonly input: string;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Creates a kubectl without a cluster, which records its calls. */
export function createFakeKubectl(cluster: FakeCluster): Kubectl & { readonly calls: readonly FakeCall[] } {
  const { snapshots, files = {}, log = "", coordinatorLog = "", truncatedCopies = 0, refuses = () => false } = cluster;
  const calls: FakeCall[] = [];
  const pending = [...snapshots];
  let copyCount = 0;
  const copy = (folder: string): string => {
    copyCount += 1;
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), copyCount <= truncatedCopies ? text.slice(1) : text);
    }
    return "";
  };
  const listPodNames = (): string =>
    calls.some(({ args }) => args[0] === "delete") ? "" : "pod/load-1-x\npod/load-2-x\n";
  const getObjects = (): string => {
    const items = pending.length > 1 ? pending.shift() : pending[0];
    return JSON.stringify({ items });
  };
  const commands: Readonly<Record<string, (args: readonly string[]) => string>> = {
    get: (args) => (args.includes("name") ? listPodNames() : getObjects()),
    exec: () =>
      Object.entries(files)
        .map(([path, text]) => `${digest(text)}  ./${path}\n`)
        .join(""),
    cp: (args) => copy(args[2] ?? ""),
    logs: (args) => (args[1] === "load-coordinator" ? coordinatorLog : log),
  };
  const answer = (args: readonly string[], input: string): KubectlEnd => {
    calls.push({ args, input });
    if (refuses(args, calls.length)) {
      return { exitCode: 1, out: "", err: "refused by the fake" };
    }
    return { exitCode: 0, out: commands[args[0] ?? ""]?.(args) ?? "", err: "" };
  };
  return {
    calls,
    call: (args, { input = "" } = {}) => Promise.resolve(answer(args, input)),
    run(args, { input = "" } = {}) {
      const { exitCode, out, err } = answer(args, input);
      return exitCode === 0
        ? Promise.resolve(out)
        : Promise.reject(new HarnessError("unavailable", `the cluster refused a call: ${err}`));
    },
  };
}
