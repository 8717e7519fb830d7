import { isServiceDown } from "@assay/reading";
import { HarnessError } from "@assay/contract";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createRunClock } from "@assay/client";
import { visibleText } from "@assay/evidence";
import type { CommandContext } from "../command-context.ts";
import { valued, wholeNumber } from "../flag.ts";
import { shownAddress } from "../shown-address.ts";
import { clientFor, type TargetAccess } from "./target-client.ts";

const betweenMs = 1000;
const onceMs = 5000;

/** `--wait-for`: waits for a deploy that is still coming up. */
export const waitForFlag = valued(
  "<SECONDS>",
  wholeNumber({ min: 1, max: 86_400 }),
  "wait for the target at most this long",
);

/** Why a target is not available yet, as a clause; undefined if it answered. */
async function checkAvailability(
  client: Client,
  url: string,
): Promise<{ readonly why?: string; readonly status?: number }> {
  const { end, response } = await client.describe({ url, totalTimeoutMs: onceMs });
  if (response !== undefined) {
    return isServiceDown(response.status)
      ? { why: `it answers with the status ${response.status}` }
      : { status: response.status };
  }
  return { why: end.kind === "failed" ? visibleText(end.message, 200) : "it closes the connection" };
}

/**
 * Returns once a target answers with a status other than 502, 503 and 504, and prints the reason while it waits. Sends no token and
 * records nothing. Fails with `unavailable` at the time limit.
 */
export async function waitForTarget(
  access: TargetAccess,
  seconds: number | undefined,
  { err }: Pick<CommandContext, "err">,
): Promise<void> {
  if (seconds === undefined) {
    return;
  }
  const startedMs = performance.now();
  const client = clientFor(access, createRunClock());
  const address = shownAddress(access.target.url);
  for (let shown = ""; ;) {
    const { status, why } = await checkAvailability(client, `${access.target.url}/`);
    const waitedMs = performance.now() - startedMs;
    if (why === undefined) {
      if (shown !== "") {
        err(`${address} answers after ${Math.round(waitedMs / 1000)} s (status ${status})\n`);
      }
      return;
    }
    if (waitedMs + betweenMs > seconds * 1000) {
      throw new HarnessError(
        "unavailable",
        `${address} did not answer within ${seconds} s: ${why}; look whether it is coming up, or wait longer with --wait-for`,
      );
    }
    if (why !== shown) {
      err(`waiting for ${address}, at most ${seconds} s: ${why}\n`);
      shown = why;
    }
    await pause(betweenMs);
  }
}
