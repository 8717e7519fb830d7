import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBundle, stalledMsIn } from "@assay/evidence";
import { createOutputMemory, parseFaultChoice, startServer } from "@assay/reference-server";
import type { RunningServer, ServerOptions } from "@assay/reference-server";
import type { DoctorCheckId, DoctorReport } from "@assay/results";
import { afterAll, expect } from "vitest";
import type { CommandContext } from "../../command-context.ts";
import { environmentFor } from "../../serve/environment-for.ts";
import { testContext } from "../../testing/test-context.ts";
import type { DoctorOptions } from "../doctor-options.ts";
import { examine } from "../examine.ts";

/** A report, and what the command came to. */
export interface Examined {
  readonly code: number;
  readonly report: DoctorReport;
  /** `problem: what was found`, or whatever status a check has. */
  readonly line: (id: DoctorCheckId) => string;
}

/** Runs the doctor in this process, with JSON. */
export async function examined(
  options: DoctorOptions,
  env: NodeJS.ProcessEnv = {},
  context: Partial<CommandContext> = {},
): Promise<Examined> {
  const made = testContext({ env, ...context });
  const code = await examine({ json: true, ...options }, made);
  const report: DoctorReport = JSON.parse(made.written.out);
  const line = (id: DoctorCheckId): string => {
    const check = report.checks.find((one) => one.id === id);
    return `${check?.status}: ${check?.found}`;
  };
  return { code, report, line };
}

/** What a check advises; empty where that is nothing. */
export const adviceOf = ({ report }: Examined, id: DoctorCheckId): string =>
  report.checks.flatMap((check) => (check.id === id && "advice" in check ? [check.advice] : [])).join("");

/** What was found at last, and whether this process was kept from reading it. */
export interface ReadOrHindered extends Examined {
  /** What has to be found: this, or that nothing can be told where this process was hindered. */
  readonly found: (is: RegExp, unread?: RegExp) => unknown;
  /** The code that this has to come to; 0 as well where this process was hindered. */
  readonly ends: (code: number) => unknown;
}

/** From here on a search counts as long: it is made to take more. */
const longMs = 1000;

/** Whether, by its own record, this process could not read for so much of a long search that how it arrived proves nothing. */
async function isHindered(bundle: string): Promise<boolean> {
  const { exchanges } = await readBundle(bundle);
  return exchanges.some(
    ({ record: { times } }) =>
      times.endedAtMicros - times.sentAtMicros >= longMs * 1000 && stalledMsIn(times.stalls) * 4 >= longMs,
  );
}

/**
 * Examines again until that is enough, at most four times: this process serves and reads, and where others keep the machine busy
 * for some of the time of a search, how its stream arrived may prove nothing. Where they keep it busy all the time it proves
 * nothing in the end, and that is what has to be said then. `examineIn` is given a folder for its bundle.
 */
export async function examinedUntil(
  isEnough: (seen: Examined) => boolean,
  examineIn: (out: string) => Promise<Examined>,
  tries = 4,
): Promise<ReadOrHindered> {
  const folder = mkdtempSync(join(tmpdir(), "assay-doctor-"));
  const bundle = join(folder, "bundle");
  try {
    const seen = await examineIn(bundle);
    return tries === 1 || isEnough(seen)
      ? withEndings(seen, !isEnough(seen) && (await isHindered(bundle)))
      : await examinedUntil(isEnough, examineIn, tries - 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const withEndings = (seen: Examined, hindered: boolean): ReadOrHindered => ({
  ...seen,
  found: (is, unread = /^could-not-tell: /u) =>
    expect.stringMatching(hindered ? new RegExp(`${is.source}|${unread.source}`, "u") : is),
  ends: (code) => (hindered ? expect.toBeOneOf([code, 0]) : code),
});

const outputs = createOutputMemory();

/** A reference server over a repository; closed when the tests of the file have ended. */
export async function serverFor(
  repo: string,
  options: Partial<Omit<ServerOptions, "fault">> & { readonly fault?: string } = {},
): Promise<RunningServer> {
  const { fault, ...others } = options;
  const choice = fault === undefined ? {} : { fault: parseFaultChoice(fault) };
  const server = await startServer({ repos: [repo], vocabulary: "observed", outputs, ...others, ...choice });
  afterAll(() => server.close());
  return server;
}

/** The variables with which a server is examined with all of its tokens; what it says of itself is not told. */
export function tokensOf(server: RunningServer, url = server.url): NodeJS.ProcessEnv {
  const { ASSAY_ACCESS: _access, ASSAY_SHARING: _sharing, ...env } = environmentFor(server);
  return { ...env, SRC_ENDPOINT: url };
}
