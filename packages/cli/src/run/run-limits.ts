import { defined } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import {
  conversationLimitNames,
  conversationLimits,
  estimateProbeCount,
  estimateRequests,
  estimateSeconds,
} from "@assay/runner";
import type { ConversationLimits } from "@assay/runner";
import type { RunOptions } from "./run-options.ts";
import type { RunTarget } from "./run-target.ts";

/** Reports whether a URL is on this machine. Only there may questions and load be sent without permission from the user. */
export const isOnThisMachine = (url: string): boolean =>
  URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(url).hostname);

/** Returns the limits of the flags, otherwise `local` for a target on this machine and `production` elsewhere. */
export function selectLimits(
  {
    limits,
    questions,
    questionTimeout,
    sequences,
    longQuestionTokens,
  }: Pick<RunOptions, "limits" | "questions" | "questionTimeout" | "sequences" | "longQuestionTokens">,
  { url }: Pick<RunTarget, "url">,
): ConversationLimits {
  const defaultName = isOnThisMachine(url) ? "local" : "production";
  const name = conversationLimitNames.find((candidate) => candidate === limits) ?? defaultName;
  return conversationLimits(name, {
    ...defined({ questions, sequences, longQuestionTokens }),
    ...(questionTimeout === undefined ? {} : { questionDeadlineMs: questionTimeout * 1000 }),
  });
}

/** Returns why a run asks no questions, as a clause, or undefined if it may ask some. */
export function findReasonForNoQuestions(
  { name, questions }: ConversationLimits,
  { tokens }: Pick<RunTarget, "tokens">,
): string | undefined {
  if (tokens["access-token"] === undefined && tokens["oauth-token"] === undefined) {
    return "questions need a token, and none is set";
  }
  return questions === 0
    ? `the limits ${name} allow no questions to this target; allow some with --limits staging or --questions`
    : undefined;
}

/** Facts of a run before it begins. */
interface PlannedRun {
  readonly options: Pick<RunOptions, "query" | "timeout" | "limits">;
  readonly rules: readonly RuleId[];
  readonly limits: ConversationLimits;
  readonly target: Pick<RunTarget, "tokens" | "embedded">;
}

const formatDuration = (seconds: number): string =>
  seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;

const hasToken = ({ tokens }: Pick<RunTarget, "tokens">): boolean =>
  tokens["access-token"] !== undefined || tokens["oauth-token"] !== undefined;

/** Estimates the number of probes of a run. */
export const estimateProbes = ({ options, rules, limits, target }: PlannedRun): number =>
  estimateProbeCount({ rules, query: options.query, limits, hasToken: hasToken(target) });

/**
 * Returns a line with the estimated duration of a run at the rate of its limits. If there is no rate limit and the user chose no limits,
 * the line warns about it, because a tunnel to a shared instance looks like this machine.
 */
export function describeExpectedDuration({ options, rules, limits, target }: PlannedRun): string {
  if (!Number.isFinite(limits.requestsPerSecond)) {
    return target.embedded || options.limits !== undefined
      ? ""
      : "limits local: no rate limit, and questions are asked; use --limits production if this is a tunnel to a shared instance\n";
  }
  const run = { rules, query: options.query, limits, hasToken: hasToken(target) };
  const seconds = estimateSeconds(run);
  const oneSearchNote = limits.maxConcurrentSearches === 1 ? " and one search at a time" : "";
  const questionsNote = limits.questions > 0 ? ", plus the time to answer questions" : "";
  const timeoutNote = seconds > options.timeout ? `; --timeout is ${options.timeout} s, raise it` : "";
  const estimate = `about ${estimateRequests(run)} requests take about ${formatDuration(seconds)}${questionsNote}`;
  return `limits ${limits.name}: at ${limits.requestsPerSecond} requests a second${oneSearchNote}, ${estimate}${timeoutNote}\n`;
}
