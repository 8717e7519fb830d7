import { HarnessError } from "@assay/contract";
import { conversationLimitNames, conversationLimits } from "@assay/runner";
import type { ConversationLimitName } from "@assay/runner";
import { isOnThisMachine } from "../run/run-limits.ts";
import type { LoadOptions } from "./load-options.ts";

/** Limits of a load run on its targets. */
export interface LoadLimits {
  readonly name: ConversationLimitName;
  /** Maximum number of questions. `Infinity` if there is no limit. */
  readonly questions: number;
  /** Maximum arrival rate. `Infinity` if there is no limit. */
  readonly maxRatePerSecond: number;
}

/** Maximum rate on a production instance. */
const productionRatePerSecond = 2;

const parseHostName = (url: string): string => new URL(url).hostname;

function rejectUnconfirmed(url: string, { limits, confirmHost = [] }: LoadOptions): void {
  const host = parseHostName(url);
  const choices = conversationLimitNames.toReversed().join("|");
  if (limits === undefined) {
    throw new HarnessError(
      "usage",
      `${host} is not this machine, and load can harm it; choose limits with --limits ${choices}, and confirm the host with --confirm-host ${host}`,
    );
  }
  if (!confirmHost.includes(host)) {
    const confirmedHosts =
      confirmHost.length === 0 ? "nothing was confirmed" : `--confirm-host names ${confirmHost.join(", ")}`;
    throw new HarnessError("usage", `load on ${host} must be confirmed with --confirm-host ${host}; ${confirmedHosts}`);
  }
}

/** Returns the selected name of limits. Default: `local`, because only targets on this machine may omit it. */
const selectLimitsName = ({ limits }: LoadOptions): ConversationLimitName =>
  conversationLimitNames.find((name) => name === limits) ?? "local";

/**
 * Returns the limits for targets. Throws a `HarnessError` for a remote target that is not confirmed, and for a rate beyond
 * the limits.
 */
export function resolveLoadLimits(urls: readonly string[], options: LoadOptions): LoadLimits {
  for (const url of urls.filter((targetUrl) => !isOnThisMachine(targetUrl))) {
    rejectUnconfirmed(url, options);
  }
  const name = selectLimitsName(options);
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
