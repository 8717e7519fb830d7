import { HarnessError } from "@assay/contract";
import { conversationLimitNames, conversationLimits } from "@assay/runner";
import type { ConversationLimitName } from "@assay/runner";
import { isOnThisMachine } from "../run/run-limits.ts";
import type { LoadOptions } from "./load-options.ts";

/** How careful a load run is with its targets. */
export interface LoadLimits {
  readonly name: ConversationLimitName;
  /** Questions that may be asked in all; `Infinity` for any number. */
  readonly questions: number;
  /** Highest arrival rate; `Infinity` for any. */
  readonly maxRatePerSecond: number;
}

/** Most requests a second that somebody's working instance is sent. */
const productionRatePerSecond = 2;

const hostOf = (url: string): string => new URL(url).hostname;

function refuseUnconfirmed(url: string, { limits, confirmHost = [] }: LoadOptions): void {
  const host = hostOf(url);
  const choices = conversationLimitNames.toReversed().join("|");
  if (limits === undefined) {
    throw new HarnessError(
      "usage",
      `${host} is not this machine, and load can harm it; say how careful to be by --limits ${choices}, and confirm it by --confirm-host ${host}`,
    );
  }
  if (!confirmHost.includes(host)) {
    const others =
      confirmHost.length === 0 ? "nothing was confirmed" : `--confirm-host names ${confirmHost.join(", ")}`;
    throw new HarnessError("usage", `load on ${host} has to be confirmed by --confirm-host ${host}; ${others}`);
  }
}

/** The name of the limits: what was said, else `local`, which only targets on this machine may have without saying. */
const nameOf = ({ limits }: LoadOptions): ConversationLimitName =>
  conversationLimitNames.find((known) => known === limits) ?? "local";

/**
 * What may be sent to these targets. Fails with a `HarnessError` for a target elsewhere that is not confirmed, and for a rate
 * beyond the limits.
 */
export function loadLimitsFor(urls: readonly string[], options: LoadOptions): LoadLimits {
  for (const url of urls.filter((each) => !isOnThisMachine(each))) {
    refuseUnconfirmed(url, options);
  }
  const name = nameOf(options);
  const { questions } = conversationLimits(
    name,
    options.questions === undefined ? {} : { questions: options.questions },
  );
  const maxRatePerSecond = name === "production" ? productionRatePerSecond : Number.POSITIVE_INFINITY;
  if (options.rate !== undefined && options.rate > maxRatePerSecond) {
    throw new HarnessError(
      "usage",
      `--rate ${options.rate} is more than the ${maxRatePerSecond} requests a second that the limits ${name} allow; lower it, or name other limits`,
    );
  }
  return { name, questions, maxRatePerSecond };
}
