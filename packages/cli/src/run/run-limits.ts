import { conversationLimitNames, conversationLimits } from "@assay/runner";
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
    ...(questions === undefined ? {} : { questions }),
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
