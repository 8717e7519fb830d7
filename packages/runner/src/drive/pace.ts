import { isBusy } from "@assay/reading";
import type { ExchangeDraft } from "@assay/evidence";
import { readAnswer } from "../converse/answer.ts";
import type { Wait } from "../converse/caller.ts";
import type { ConversationLimits } from "../converse/conversation-limits.ts";
import { type Clock, createRateLimit, type RateLimit } from "../converse/rate-limit.ts";
import { requestedWaitMs } from "../converse/retry-wait.ts";

/** Advice after a response: continue, retry the same request, or stop sending. */
export type PaceAdvice = "continue" | "retry" | "stop";

/** Limits requests to the allowed rate and honours waits that the target asks for. */
export interface Pace {
  /** Shared by all requests of a run. */
  readonly rateLimit: RateLimit;
  /** Waits for the next slot. Returns early if the run is stopping. */
  waitForTurn(): Promise<void>;
  /** Waits. Returns early if the run is stopping. */
  pause(ms: number): Promise<void>;
  /** Returns the remaining time of the run, in milliseconds. */
  remainingMs(): number;
  /** Evaluates an exchange. If the target asked for a wait, later turns honour it. */
  adviceAfter(draft: ExchangeDraft): PaceAdvice;
}

export interface PaceOptions {
  readonly limits: Pick<ConversationLimits, "requestsPerSecond" | "maxRetryWaitMs">;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly signal: AbortSignal;
  /** Returns the remaining time of the run in milliseconds. It limits every wait. */
  readonly remainingMs: () => number;
  /** Wall clock in milliseconds, to interpret times in answers. Default: `Date.now`. */
  readonly nowMs?: () => number;
}

/** Creates the pace of one run. */
export function createPace({ limits, clock, wait, signal, remainingMs, nowMs = Date.now }: PaceOptions): Pace {
  const rateLimit = createRateLimit(limits.requestsPerSecond, clock);
  let blockedUntilMicros = Number.NEGATIVE_INFINITY;
  const pause = async (ms: number): Promise<void> => {
    if (ms > 0 && !signal.aborted) {
      await wait(Math.max(0, Math.min(ms, remainingMs())), signal).catch((cause: unknown) => {
        if (!signal.aborted) {
          throw cause;
        }
      });
    }
  };
  return {
    rateLimit,
    async waitForTurn() {
      await pause((blockedUntilMicros - clock.nowMicros()) / 1000);
      await pause(rateLimit.reserveSlot());
    },
    pause,
    remainingMs,
    adviceAfter(draft) {
      const requestsWait = draft.end.kind === "complete" && isBusy(draft.response?.status);
      const waitMs = requestsWait ? requestedWaitMs(readAnswer(draft), nowMs()) : undefined;
      if (waitMs === undefined) {
        return "continue";
      }
      const cappedWaitMs = Math.min(limits.maxRetryWaitMs, waitMs);
      blockedUntilMicros = Math.max(blockedUntilMicros, clock.nowMicros() + cappedWaitMs * 1000);
      return waitMs > limits.maxRetryWaitMs ? "stop" : "retry";
    },
  };
}
