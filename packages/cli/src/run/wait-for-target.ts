import { isServiceDown } from "@assay/reading";
import { HarnessError } from "@assay/contract";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createRunClock } from "@assay/client";
import { visibleText } from "@assay/evidence";
import type { CommandContext } from "../command-context.ts";
import { valueFlag, wholeNumber } from "../flag.ts";
import { redactUrl } from "../redact-url.ts";
import { createTargetClient, type TargetAccess } from "./target-client.ts";

const pollIntervalMs = 1000;
/** Short, so that a request to a target that is starting is soon retried. */
const requestTimeoutMs = 5000;

/** `--wait-for`: waits until a deployment is ready. */
export const waitForFlag = valueFlag(
  "<SECONDS>",
  wholeNumber({ min: 1, max: 86_400 }),
  "maximum time to wait for the target",
);

/** Returns the target's status, or a clause that says why the target is unavailable. */
async function probeAvailability(
  client: Client,
  url: string,
): Promise<{ readonly reason?: string; readonly status?: number }> {
  const { end, response } = await client.describe({ url, totalTimeoutMs: requestTimeoutMs });
  if (response !== undefined) {
    return isServiceDown(response.status)
      ? { reason: `it returns status ${response.status}` }
      : { status: response.status };
  }
  return { reason: end.kind === "failed" ? visibleText(end.message, 200) : "it closes the connection" };
}

/**
 * Returns once a target responds with a status other than 502, 503 or 504. Does not wait if `seconds` is undefined.
 * Prints why it is waiting. Sends no token and records nothing. Throws an `unavailable` error after `seconds`.
 */
export async function waitForTarget(
  access: TargetAccess,
  seconds: number | undefined,
  { err }: Pick<CommandContext, "err">,
): Promise<void> {
  if (seconds === undefined) {
    return;
  }
  const startedAtMs = performance.now();
  const client = createTargetClient(access, createRunClock());
  const targetUrl = redactUrl(access.target.url);
  for (let lastReason = ""; ;) {
    const { status, reason } = await probeAvailability(client, `${access.target.url}/`);
    const waitedMs = performance.now() - startedAtMs;
    if (reason === undefined) {
      if (lastReason !== "") {
        err(`${targetUrl} is up after ${Math.round(waitedMs / 1000)} s (status ${status})\n`);
      }
      return;
    }
    if (waitedMs + pollIntervalMs > seconds * 1000) {
      throw new HarnessError(
        "unavailable",
        `${targetUrl} did not respond within ${seconds} s: ${reason}; check that the target is starting, or increase --wait-for`,
      );
    }
    if (reason !== lastReason) {
      err(`waiting for ${targetUrl}, at most ${seconds} s: ${reason}\n`);
      lastReason = reason;
    }
    await sleep(pollIntervalMs);
  }
}
