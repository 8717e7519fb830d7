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

/** Whether an address is on this machine: only there may anything be asked and loaded without being told so. */
export const isOnThisMachine = (url: string): boolean =>
  URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(url).hostname);

/** What may be asked of a target: what was said, else much on this machine and nothing elsewhere. */
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

/** Why a run asks nothing, one clause; undefined when it may. */
export function whyNothingIsAsked(
  { name, questions }: ConversationLimits,
  { tokens }: Pick<RunTarget, "tokens">,
): string | undefined {
  if (tokens["access-token"] === undefined && tokens["oauth-token"] === undefined) {
    return "no token was given, and nobody may ask without one";
  }
  return questions === 0
    ? `no question may be asked of this target (limits ${name}); allow some with --limits staging or --questions`
    : undefined;
}

/** What is known of a run before it begins. */
interface ComingRun {
  readonly options: Pick<RunOptions, "query" | "timeout" | "limits">;
  readonly rules: readonly RuleId[];
  readonly limits: ConversationLimits;
  readonly target: Pick<RunTarget, "tokens" | "embedded">;
}

const shownDuration = (seconds: number): string =>
  seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;

const hasToken = ({ tokens }: Pick<RunTarget, "tokens">): boolean =>
  tokens["access-token"] !== undefined || tokens["oauth-token"] !== undefined;

/** About how many probes a run will send. */
export const probesOf = ({ options, rules, target }: Omit<ComingRun, "limits">): number =>
  expectedProbes({ rules, query: options.query, hasToken: hasToken(target) });

/**
 * How long a run will take at the rate of its limits, a line. Where nobody chose limits and there are none, it says so: a tunnel to a
 * shared instance looks like this machine.
 */
export function durationNote({ options, rules, limits, target }: ComingRun): string {
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
