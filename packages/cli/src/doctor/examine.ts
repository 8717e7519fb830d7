import { defined } from "@assay/contract";
import { randomBytes, randomInt } from "node:crypto";
import { join, relative, resolve } from "node:path";
import { rm } from "node:fs/promises";
import { createClient, createRunClock } from "@assay/client";
import type { Client, ClientLimits, RunClock } from "@assay/client";
import { createBundleWriter, createRedactor, scanForSecrets, writeAtomically } from "@assay/evidence";
import type { FooterInfo, Redactor, Secret } from "@assay/evidence";
import { renderDoctor, renderDoctorAgent, renderDoctorJson } from "@assay/report";
import { exitCodeOf } from "@assay/results";
import type { DoctorReport } from "@assay/results";
import {
  catalogueDigest,
  createPace,
  defaultQuery,
  diagnose,
  runDoctorProbes,
  createInvalidToken,
  openApiDigest,
  getProfile,
  wait,
} from "@assay/runner";
import type { DoctorEvidence } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { getInterruptNameOrDefault } from "../interrupt-signal.ts";
import { hasProgress, renderForReporter } from "../reporter.ts";
import { startProgress } from "../start-progress.ts";
import { selectLimits } from "../run/run-limits.ts";
import { openTarget } from "../run/run-target.ts";
import type { RunTarget } from "../run/run-target.ts";
import { tool } from "../version.ts";
import { createRunId } from "../run/run-id.ts";
import { rejectUsedFolder } from "../run/run-session.ts";
import type { DoctorOptions } from "./doctor-options.ts";

interface DoctorBundle {
  readonly folder: string;
  readonly evidence: DoctorEvidence;
  readonly report: DoctorReport;
  readonly redactor: Redactor;
  readonly seed: number;
  readonly secrets: readonly Secret[];
}

function createFooter({ stopped }: DoctorEvidence): FooterInfo {
  if (stopped === undefined) {
    return { ended: "complete" };
  }
  return stopped === "interrupted"
    ? { ended: "interrupted", reason: "interrupted" }
    : { ended: "stopped", cause: "deadline", reason: "the time limit was reached before all requests were sent" };
}

/**
 * Writes a bundle that `assay judge` can read, and the report. Then deletes every file that still contains a secret,
 * and returns the names of these files.
 */
async function writeDoctorBundle(bundle: DoctorBundle): Promise<readonly string[]> {
  const { evidence, folder, redactor, report, secrets, seed } = bundle;
  const startedAt = new Date(evidence.clockStartedAtMs);
  const writer = await createBundleWriter({
    directory: folder,
    redactor,
    manifest: {
      schemaVersion: 1,
      runId: createRunId(startedAt),
      tool,
      startedAt: startedAt.toISOString(),
      target: {
        url: evidence.target,
        access: evidence.access,
        sharing: evidence.sharing,
        embedded: report.embedded,
        asksNothing: "`assay doctor` asks no questions",
      },
      profile: "smoke",
      seed,
      rules: getProfile("smoke").rules.toSorted(),
      strict: false,
      digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
    },
  }).catch(rejectUsedFolder);
  for (const exchange of evidence.exchanges) {
    await writer.writeExchange(exchange);
  }
  await writer.close(createFooter(evidence));
  await writeAtomically(join(folder, "doctor.json"), renderDoctorJson(report));
  const secretHits = await scanForSecrets(folder, secrets);
  const leakedFiles = [...new Set(secretHits.map(({ file }) => file))];
  await Promise.all(leakedFiles.map((file) => rm(join(folder, file), { force: true })));
  return leakedFiles;
}

/** Maximum duration of one stream without `--patient`. */
const defaultMaxStreamMs = 20_000;
const connectTimeoutMs = 5000;
/** For requests whose responses are short. A slower first byte is a finding. */
const shortFirstByteTimeoutMs = 15_000;
/** Well above a typical response, because a single event can be large. */
const maxBodyBytes = 64 * 1024 * 1024;

interface Examination {
  readonly options: DoctorOptions;
  readonly context: CommandContext;
  readonly target: RunTarget;
  readonly clock: RunClock;
  readonly seed: number;
}

function createDoctorClient(
  { clock, context, target }: Examination,
  limits: Partial<ClientLimits>,
  http = target.http ?? "1.1",
): Client {
  return createClient({
    baseUrl: target.url,
    clock,
    userAgent: `${tool.name}/${tool.version}`,
    env: target.embedded ? {} : context.env,
    extraHeaders: target.extraHeaders,
    clientCertificate: target.clientCertificate,
    http,
    limits: { connectTimeoutMs, ...limits },
  });
}

/**
 * Creates a client for the HTTP version that the target options do not select. Returns an empty object if the target
 * does not use TLS.
 */
function createOtherVersionOptions(
  examination: Examination,
  limits: Partial<ClientLimits>,
): { readonly otherClient?: Client } {
  const { http, url } = examination.target;
  return new URL(url).protocol === "https:"
    ? { otherClient: createDoctorClient(examination, limits, http === "2" ? "1.1" : "2") }
    : {};
}

const defaultTimeoutSeconds = 60;
const patientTimeoutSeconds = 300;

const chooseTimeoutMs = ({ patient, timeout }: DoctorOptions): number =>
  1000 * (timeout ?? (patient === true ? patientTimeoutSeconds : defaultTimeoutSeconds));

/** Shows the current check in the progress line. */
function createStageDisplay({ options, context }: Examination): {
  readonly onStage: (stage: string) => void;
  end(): void;
} {
  const progress = startProgress(hasProgress(options), context);
  return { onStage: (stage) => progress.state({ text: `checking: ${stage}` }), end: () => progress.end() };
}

async function runChecks(examination: Examination): Promise<DoctorEvidence> {
  const { clock, context, options, seed, target } = examination;
  const timeoutMs = chooseTimeoutMs(options);
  const maxStreamMs = options.patient === true ? timeoutMs : Math.min(defaultMaxStreamMs, timeoutMs);
  const stages = createStageDisplay(examination);
  const limits = selectLimits(options, target);
  const deadlineMicros = clock.nowMicros() + timeoutMs * 1000;
  const remainingMs = (): number => Math.max(0, (deadlineMicros - clock.nowMicros()) / 1000);
  const clockStartedAtMs = Date.now() - clock.nowMicros() / 1000;
  try {
    return await runDoctorProbes({
      shortTimeoutClient: createDoctorClient(examination, {
        firstByteTimeoutMs: shortFirstByteTimeoutMs,
        maxBodyBytes,
      }),
      longTimeoutClient: createDoctorClient(examination, { firstByteTimeoutMs: maxStreamMs, maxBodyBytes }),
      ...createOtherVersionOptions(examination, { firstByteTimeoutMs: maxStreamMs, maxBodyBytes }),
      tokens: { ...target.tokens, "invalid-token": createInvalidToken(seed) },
      access: target.access,
      sharing: target.sharing,
      extraHeaders: target.extraHeaders.map(([name]) => name),
      ...defined({ clientCertificate: target.clientCertificate }),
      query: options.query ?? defaultQuery,
      isUserQuery: options.query !== undefined,
      env: target.embedded ? {} : context.env,
      clockStartedAtMs,
      maxStreamMs,
      nowMicros: () => clock.nowMicros(),
      pace: createPace({ limits, clock, wait, signal: context.signal, remainingMs }),
      maxConcurrentSearches: limits.maxConcurrentSearches,
      deadlineMicros,
      signal: context.signal,
      onStage: stages.onStage,
    });
  } finally {
    stages.end();
  }
}

/** Redacts secrets in the report. The URL, the query and the findings may contain secrets that are in no exchange. */
const redactReport = (report: DoctorReport, redactor: Redactor): DoctorReport => ({
  ...report,
  target: redactor.text(report.target),
  query: redactor.text(report.query),
  summary: redactor.text(report.summary),
  checks: report.checks.map((check) => ({
    ...check,
    found: redactor.text(check.found),
    ...("advice" in check ? { advice: redactor.text(check.advice) } : {}),
  })),
});

function renderReport(report: DoctorReport, { context, options }: Examination, folder: string | undefined): string {
  const { colour, width } = context.terminal;
  const shownFolder = folder === undefined ? {} : { folder: relative(context.cwd, folder) || "." };
  return renderForReporter(options, {
    json: () => renderDoctorJson(report),
    quiet: () => renderDoctorAgent(report),
    text: (verbose) => renderDoctor(report, { colour, width, verbose, ...shownFolder }),
  });
}

async function examineTarget(examination: Examination): Promise<number> {
  const { context, options, seed, target } = examination;
  const { secrets } = target;
  const secretHeaderNames = target.extraHeaders.map(([name]) => name);
  const redactor = createRedactor({ secrets, secretHeaderNames, key: randomBytes(32) });
  const unredactedEvidence = await runChecks(examination);
  // Redact before quoting: a truncated secret would not be recognized.
  const evidence = {
    ...unredactedEvidence,
    exchanges: unredactedEvidence.exchanges.map((exchange) => redactor.draft(exchange)),
  };
  const draftReport = await diagnose(evidence, {
    tool,
    embedded: target.embedded,
    signal: getInterruptNameOrDefault(context.signal),
  });
  const report = redactReport(draftReport, redactor);
  const folder = options.out === undefined ? undefined : resolve(context.cwd, options.out);
  const leakedFiles =
    folder === undefined ? [] : await writeDoctorBundle({ folder, evidence, report, redactor, seed, secrets });
  if (leakedFiles.length > 0) {
    const leakedNames = leakedFiles.join(", ");
    context.err(`assay: bug in assay: files that contained a secret were deleted: ${leakedNames}; please report it\n`);
    return exitCodeOf("harness-error");
  }
  context.out(renderReport(report, examination, folder));
  return report.exitCode;
}

/** Examines a target, prints the report and returns the exit code. Rejects invalid options before sending a request. */
export async function examine(options: DoctorOptions, context: CommandContext): Promise<number> {
  const seed = randomInt(2 ** 32);
  const target = await openTarget(options, context, seed);
  try {
    return await examineTarget({ options, context, target, clock: createRunClock(), seed });
  } finally {
    await target.close();
  }
}
