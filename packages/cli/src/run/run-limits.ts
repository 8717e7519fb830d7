import { defined } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import {
  conversationLimitNames,
  conversationLimits,
  expectedProbes,
  expectedRequests,
  expectedSeconds,
} from "@assay/runner";
import type { ConversationLimits } from "@assay/runner";
import type { RunOptions } from "./run-options.ts";
import type { RunTarget } from "./run-target.ts";

/** Whether an address is on this machine. Only there may questions and load be sent without permission from the user. */
export const isOnThisMachine = (url: string): boolean =>
  URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(url).hostname);

/** The limits for a target: those of the flags, else `local` on this machine and `production` elsewhere. */
export function limitsFor(
  { limits, questions, questionTimeout }: Pick<RunOptions, "limits" | "questions" | "questionTimeout">,
  { url }: Pick<RunTarget, "url">,
): ConversationLimits {
  const usual = isOnThisMachine(url) ? "local" : "production";
  const name = conversationLimitNames.find((known) => known === limits) ?? usual;
  return conversationLimits(name, {
    ...defined({ questions }),
    ...(questionTimeout === undefined ? {} : { questionDeadlineMs: questionTimeout * 1000 }),
  });
}

/** The reason why a run asks no questions, as a clause; undefined if it may ask some. */
export function reasonForNoQuestions(
  { name, questions }: ConversationLimits,
  { tokens }: Pick<RunTarget, "tokens">,
): string | undefined {
  if (tokens["access-token"] === undefined && tokens["oauth-token"] === undefined) {
    return "no token was given, and questions need one";
  }
  return questions === 0
    ? `no question may be asked of this target (limits ${name}); allow some with --limits staging or --questions`
    : undefined;
}

/** Facts of a run before it begins. */
interface PlannedRun {
  readonly options: Pick<RunOptions, "query" | "timeout" | "limits">;
  readonly rules: readonly RuleId[];
  readonly limits: ConversationLimits;
  readonly target: Pick<RunTarget, "tokens" | "embedded">;
}

const shownDuration = (seconds: number): string =>
  seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;

const hasToken = ({ tokens }: Pick<RunTarget, "tokens">): boolean =>
  tokens["access-token"] !== undefined || tokens["oauth-token"] !== undefined;

/** Estimated number of probes of a run. */
export const probesOf = ({ options, rules, target }: Omit<PlannedRun, "limits">): number =>
  expectedProbes({ rules, query: options.query, hasToken: hasToken(target) });

/**
 * A line with the estimated duration of a run at the rate of its limits. If there is no rate limit and the user chose no limits, the
 * line says so: a tunnel to a shared instance looks like this machine.
 */
export function durationNote({ options, rules, limits, target }: PlannedRun): string {
  if (!Number.isFinite(limits.requestsPerSecond)) {
    return target.embedded || options.limits !== undefined
      ? ""
      : "limits local: no pace limit, and questions are asked; behind a tunnel to a shared instance, use --limits production\n";
  }
  const run = { rules, query: options.query, limits, hasToken: hasToken(target) };
  const seconds = expectedSeconds(run);
  const alone = limits.searchesAtOnce === 1 ? " and one search at a time" : "";
  const questions = limits.questions > 0 ? ", and as long as questions take to be answered" : "";
  const tooLong = seconds > options.timeout ? `; --timeout allows ${options.timeout} s, give more` : "";
  const about = `about ${expectedRequests(run)} requests take about ${shownDuration(seconds)}${questions}`;
  return `limits ${limits.name}: at ${limits.requestsPerSecond} requests a second${alone}, ${about}${tooLong}\n`;
}
