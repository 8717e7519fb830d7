import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBundle, measureStalledMs } from "@assay/evidence";
import { createOutputCache, parseFaultChoice, startServer } from "@assay/reference-server";
import type { RunningServer, ServerOptions } from "@assay/reference-server";
import type { DoctorCheckId, DoctorReport } from "@assay/results";
import { afterAll, expect } from "vitest";
import type { CommandContext } from "../../command-context.ts";
import { createServerEnvironment } from "../../serve/server-environment.ts";
import { testContext } from "../../testing/test-context.ts";
import type { DoctorOptions } from "../doctor-options.ts";
import { examine } from "../examine.ts";

/** A report and the exit code of the command. */
export interface Examined {
  readonly code: number;
  readonly report: DoctorReport;
  /** `problem: finding`, with the status of the check. */
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

/** The advice of a check; empty if it has none. */
export const adviceOf = ({ report }: Examined, id: DoctorCheckId): string =>
  report.checks.flatMap((check) => (check.id === id && "advice" in check ? [check.advice] : [])).join("");

/** The last result, and whether this process was too busy to read in time. */
export interface ResultOrBusy extends Examined {
  /** The expected finding, or an inconclusive one if this process was busy. */
  readonly found: (is: RegExp, unread?: RegExp) => unknown;
  /** The expected exit code, or 0 if this process was busy. */
  readonly ends: (code: number) => unknown;
}

/** Longer searches count as long. */
const longMs = 1000;

/** True if the evidence shows that this process stalled for so much of a long search that its arrival proves nothing. */
async function wasBusy(bundle: string): Promise<boolean> {
  const { exchanges } = await readBundle(bundle);
  return exchanges.some(
    ({ record: { times } }) =>
      times.endedAtMicros - times.sentAtMicros >= longMs * 1000 && measureStalledMs(times.stalls) * 4 >= longMs,
  );
}

/**
 * Runs the doctor up to four times until the result is conclusive. This process both serves and reads, so on a busy machine the arrival
 * of a stream may prove nothing. If it is busy every time, the result must be inconclusive. `examineIn` gets a folder for its bundle.
 */
export async function examinedUntil(
  isEnough: (seen: Examined) => boolean,
  examineIn: (out: string) => Promise<Examined>,
  tries = 4,
): Promise<ResultOrBusy> {
  const folder = mkdtempSync(join(tmpdir(), "assay-doctor-"));
  const bundle = join(folder, "bundle");
  try {
    const seen = await examineIn(bundle);
    return tries === 1 || isEnough(seen)
      ? withEndings(seen, !isEnough(seen) && (await wasBusy(bundle)))
      : await examinedUntil(isEnough, examineIn, tries - 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const withEndings = (seen: Examined, busy: boolean): ResultOrBusy => ({
  ...seen,
  found: (is, unread = /^could-not-tell: /u) =>
    expect.stringMatching(busy ? new RegExp(`${is.source}|${unread.source}`, "u") : is),
  ends: (code) => (busy ? expect.toBeOneOf([code, 0]) : code),
});

const outputs = createOutputCache();

/** A reference server for a repository; closed after the tests of the file. */
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

/** Environment variables with all tokens of a server, but without its declarations. */
export function tokensOf(server: RunningServer, url = server.url): NodeJS.ProcessEnv {
  const { ASSAY_ACCESS: _access, ASSAY_SHARING: _sharing, ...env } = createServerEnvironment(server);
  return { ...env, SRC_ENDPOINT: url };
}
