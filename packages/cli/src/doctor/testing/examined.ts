import { createOutputMemory, parseFaultChoice, startServer } from "@assay/reference-server";
import type { RunningServer, ServerOptions } from "@assay/reference-server";
import type { DoctorCheckId, DoctorReport } from "@assay/results";
import { afterAll } from "vitest";
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

/**
 * Examines again until that is enough, at most four times: this process serves and reads, and where others keep the machine busy
 * for some of the time of a search, how its stream arrived may prove nothing.
 */
export async function examinedUntil(
  isEnough: (seen: Examined) => boolean,
  examineOnce: () => Promise<Examined>,
  tries = 4,
): Promise<Examined> {
  const seen = await examineOnce();
  return tries === 1 || isEnough(seen) ? seen : examinedUntil(isEnough, examineOnce, tries - 1);
}

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
