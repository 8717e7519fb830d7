import { isBusy } from "@assay/reading";
import type { ExchangeDraft } from "@assay/evidence";
import { answerOf } from "../converse/answer.ts";
import type { Wait } from "../converse/caller.ts";
import type { ConversationLimits } from "../converse/conversation-limits.ts";
import { type Clock, createRateLimit, type RateLimit } from "../converse/rate-limit.ts";
import { namedWaitMs } from "../converse/retry-wait.ts";

/** What an answer means for the next request: nothing, that the same is asked once more, or that the target is left alone. */
export type PaceAdvice = "go-on" | "again" | "leave";

/** When requests may go out: one after the other at the rate that the limits allow, and not before a target wants more. */
export interface Pace {
  /** Shared by everything that a run sends. */
  readonly rateLimit: RateLimit;
  /** Waits for the next place; ends early when everything has to stop. */
  turn(): Promise<void>;
  /** Waits so long; ends early when everything has to stop. */
  rest(ms: number): Promise<void>;
  /** What is left of the time for everything. */
  leftMs(): number;
  /** Looks at what came back; what the target asks to wait for is waited for by the turns that follow. */
  advice(draft: ExchangeDraft): PaceAdvice;
}

export interface PaceOptions {
  readonly limits: Pick<ConversationLimits, "requestsPerSecond" | "maxRetryWaitMs">;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly signal: AbortSignal;
  /** What is left of the time for everything; nothing is waited for longer. */
  readonly leftMs: () => number;
  /** Wall clock in milliseconds, for times that a target names [Date.now]. */
  readonly nowMs?: () => number;
}

/** A pace for one run. */
export function createPace({ limits, clock, wait, signal, leftMs, nowMs = Date.now }: PaceOptions): Pace {
  const rateLimit = createRateLimit(limits.requestsPerSecond, clock);
  let blockedUntilMicros = Number.NEGATIVE_INFINITY;
  const pause = async (ms: number): Promise<void> => {
    if (ms > 0 && !signal.aborted) {
      await wait(Math.max(0, Math.min(ms, leftMs())), signal).catch((cause: unknown) => {
        if (!signal.aborted) {
          throw cause;
        }
      });
    }
  };
  return {
    rateLimit,
    async turn() {
      await pause((blockedUntilMicros - clock.nowMicros()) / 1000);
      await pause(rateLimit.reserveSlot());
    },
    rest: pause,
    leftMs,
    advice(draft) {
      const isAsked = draft.end.kind === "complete" && isBusy(draft.response?.status);
      const waitMs = isAsked ? namedWaitMs(answerOf(draft), nowMs()) : undefined;
      if (waitMs === undefined) {
        return "go-on";
      }
      const keptMs = Math.min(limits.maxRetryWaitMs, waitMs);
      blockedUntilMicros = Math.max(blockedUntilMicros, clock.nowMicros() + keptMs * 1000);
      return waitMs > limits.maxRetryWaitMs ? "leave" : "again";
    },
  };
}
