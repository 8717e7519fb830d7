import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { selectRows } from "@assay/tools/proving";
import { exitCodes } from "@assay/results";
import { openLedger } from "@assay/runner";
import { beforeAll, describe, expect, test } from "vitest";
import { writeLoadRunFile } from "../load/load-run-file.ts";
import { startAssay } from "../testing/assay-process.ts";
import type { AssayProcess } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { writeStoredLoad } from "../testing/stored-load.ts";
import { httpTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const token = "sgp_0123456789abcdef0123456789abcdef01234567";
const marker = "20260102T030405Z-abcdef";

const stream =
  'event: progress\ndata: {"done":true,"repositoriesCount":0,"matchCount":0,"durationMs":1,"skipped":[]}\n\nevent: done\ndata: {}\n\n';

/** A target that keeps each search waiting. */
let silent = "";
/** Called with the next search. */
let onNextSearch: () => void = () => undefined;

beforeAll(async () => {
  writeFileSync(join(cwd, "good.sse"), stream);
  writeFileSync(join(cwd, "bad.sse"), stream.replace(/event: done.*/su, ""));
  for (let index = 0; index < 10; index += 1) {
    writeStoredLoad(join(cwd, "before"), { id: `before-${index}`, medianMs: 100 + index / 10 });
    writeStoredLoad(join(cwd, "slower"), { id: `slower-${index}`, medianMs: 150 + index / 10 });
  }
  silent = await httpTarget(() => onNextSearch());
  const keeping = await httpTarget((_request, response) => void response.writeHead(500).end());
  const folder = join(cwd, "reports/runs", marker);
  const ledger = await openLedger(folder);
  const key = await ledger.recordIntent({ marker, interface: "legacy", credential: "access-token" });
  await ledger.recordCreated(key, "1");
  await ledger.close();
  await writeLoadRunFile(folder, { assay: "load-run", version: 1, runId: marker, targets: [keeping], embedded: false });
});

interface Row {
  readonly code: number;
  readonly name: string;
  readonly args: () => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the process is sent when it has sent a search. */
  readonly onSearch?: NodeJS.Signals;
}

const runOn = (out: string) => (): readonly string[] => [
  "run",
  "--url",
  silent,
  "--out",
  out,
  "--quiet",
  "--rule",
  "done-is-last",
];

/** Sends a signal to a process that waits for an answer. */
async function signalOnSearch(running: AssayProcess, signal: NodeJS.Signals): Promise<void> {
  await new Promise<void>((resolve) => {
    onNextSearch = resolve;
  });
  running.kill(signal);
}

const bug = "process.on('SIGUSR2', () => { throw new TypeError('x is not a function') })";

const rows: readonly Row[] = [
  { code: 0, name: "a recording that conforms", args: () => ["check", "good.sse"] },
  { code: 1, name: "a recording that does not", args: () => ["check", "bad.sse"] },
  { code: 2, name: "a flag that is not there", args: () => ["check", "--rul", "x", "good.sse"] },
  { code: 3, name: "nobody there", args: () => ["run", "--url", "http://127.0.0.1:1", "--out", "nobody", "--quiet"] },
  { code: 4, name: "a side that is slower", args: () => ["compare", "before", "slower"] },
  {
    code: 5,
    name: "too few runs for the decision asked for",
    args: () => ["compare", "before/before-0", "slower/slower-0", "--decide"],
  },
  { code: 6, name: "a target that keeps what was made on it", args: () => ["cleanup"], env: { ASSAY_TOKEN: token } },
  {
    code: 70,
    name: "a bug",
    args: runOn("bug"),
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}` },
    onSearch: "SIGUSR2",
  },
  { code: 130, name: "Ctrl-C", args: runOn("interrupted"), onSearch: "SIGINT" },
  { code: 143, name: "the end of a job", args: runOn("terminated"), onSearch: "SIGTERM" },
];

describe("the command ends with", () => {
  // A process ends with the exit code of the command. One test shows it, and tests with signals need separate processes.
  const isOwn = ({ onSearch, code }: Row): boolean => onSearch !== undefined || code === 1;

  test.each(rows.filter((row) => !isOwn(row)))("$code for $name", async ({ args, env = {}, code }) => {
    const ended = await callAssay(args(), { cwd, env });
    expect([ended.code, ended.err]).toEqual([code, expect.not.stringMatching(/\n\s+at /u)]);
  });

  test.each(selectRows(rows, isOwn))("$code for $name, as a process", { tags: "more" }, async (row) => {
    const { args, env = {}, onSearch, code } = row;
    const running = startAssay(args(), { cwd, env });
    await (onSearch === undefined ? undefined : signalOnSearch(running, onSearch));
    const ended = await running.ended;
    expect([ended.code, ended.signal, ended.err]).toEqual([code, null, expect.not.stringMatching(/\n\s+at /u)]);
  });

  test("each code of the table", () => {
    expect(rows.map(({ code }) => code)).toEqual(exitCodes.map(({ code }) => code));
  });
});
