import { randomBytes } from "node:crypto";
import { EvidenceError, createRedactor } from "@assay/evidence";
import { type K6End, startK6 } from "@assay/load";
import type { LoadPlan, LoadResult } from "@assay/results";
import { defaultQuery } from "@assay/runner";
import { type Canary, type CanaryEnd, canaryFolder, startCanary } from "./canary.ts";
import type { RunLog } from "../run/run-log.ts";
import { cleanUpLoad } from "./clean-up-load.ts";
import { k6Arguments, k6Variables } from "./k6-settings.ts";
import { loadProgress, progressEvent, progressText } from "./load-progress.ts";
import type { LoadSession } from "./load-session.ts";

/** Besides what the plan takes. */
const wallSlackMs = 60_000;

const plannedMs = ({ warmupMs, durationMs }: LoadPlan): number => warmupMs + durationMs;

function canaryOf(session: LoadSession): Canary | undefined {
  const { options, context, targets, folder, runId, plan } = session;
  if (!options.canary) {
    return undefined;
  }
  return startCanary({
    context,
    // Of two targets the second one is what is asked about.
    target: targets.b ?? targets.a,
    extraHeaders: targets.extraHeaders,
    secrets: targets.secrets,
    folder,
    runId,
    seed: options.seed,
    query: plan.queries.length > 0 && options.query !== undefined ? (plan.queries[0]?.text ?? "") : defaultQuery,
    limits: targets.limits.name,
    questions: targets.limits.questions - (plan.conversation?.budget ?? 0),
    durationMs: plannedMs(plan),
  });
}

/** How driving ended. */
export interface Driven {
  readonly end: K6End;
  readonly canary: CanaryEnd | undefined;
  /** Why the canary could not go on, one sentence. */
  readonly canaryError?: string;
  readonly cleanUp: LoadResult["cleanUp"];
}

const nothingSeen = {
  outcome: "incomplete",
  exchanges: 0,
  observedRules: 0,
  failed: [],
  folder: canaryFolder,
} as const;

/** What the canary saw, or why it could not go on: a full disk must keep nobody from cleaning up. */
async function whatWasSeen(canary: Canary | undefined): Promise<Pick<Driven, "canary" | "canaryError">> {
  try {
    return { canary: await canary?.seen };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const summary = `they could not go on: ${why}`;
    // A disk that is full is no bug: the load may have been recorded all the same.
    return error instanceof EvidenceError
      ? { canary: { report: { ...nothingSeen, summary }, left: [] } }
      : { canary: undefined, canaryError: `the judges beside the load: ${summary}` };
  }
}

/** Runs k6, the canary beside it, and removes what was created. */
export async function driveLoad(session: LoadSession, log: RunLog): Promise<Driven> {
  const { options, context, k6, targets, folder, plan } = session;
  const progress = loadProgress(options, context);
  const headerNames = targets.extraHeaders.map(([name]) => name);
  const redactor = createRedactor({
    secrets: targets.secrets,
    secretHeaderNames: headerNames,
    key: randomBytes(32),
  });
  const canary = canaryOf(session);
  try {
    const end = await startK6({
      k6,
      folder,
      env: k6Variables(session),
      extraArgs: k6Arguments(options),
      wallLimitMs: plannedMs(plan) + wallSlackMs,
      signal: context.signal,
      redact: (text) => redactor.text(text),
      // Where the limit of the target is looked for, finding it is no reason to stop.
      endsOnDistress: plan.shape !== "breakpoint",
      onProgress: (state) => {
        progress.state(progressText(plan, state));
        log.tell(progressEvent(state));
      },
    });
    if (end.cause !== "complete") {
      canary?.stop();
    }
    progress.state("waiting for the judges beside the load");
    const seen = await whatWasSeen(canary);
    const onBegin = (count: number): void => progress.state(`removing ${count} conversations`);
    const cleanUp = await cleanUpLoad({ folder, targets, context, onBegin });
    return { end, ...seen, cleanUp };
  } finally {
    canary?.stop();
    progress.end();
  }
}
