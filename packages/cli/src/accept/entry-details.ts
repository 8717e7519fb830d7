import { HarnessError } from "@assay/contract";
import { execFileSync } from "node:child_process";
import { userInfo } from "node:os";
import { visibleText } from "@assay/evidence";
import { isDate } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { containsToken } from "../config/token-text.ts";
import { type OptionsOf, textFlag } from "../flag.ts";

/** The flags of `assay accept`. */
export const acceptFlags = {
  until: textFlag("<YYYY-MM-DD>", "last day on which the failure is accepted"),
  reason: textFlag("<TEXT>", "reason for accepting it"),
  owner: textFlag("<NAME>", "who is responsible for it (default: your name in git)"),
  file: textFlag("<FILE>", "list to write to (default: the list of the run, otherwise known-failures.txt)"),
};

export type AcceptOptions = OptionsOf<typeof acceptFlags>;

/** The expiry date, the reason and the owner of an accepted failure. */
export interface EntryDetails {
  readonly expires: string;
  readonly reason: string;
  readonly owner: string;
}

const gitTimeoutMs = 5000;
const maxReasonLength = 1000;
const maxOwnerLength = 100;
/** Shorter values of variables are words such as `yes`, not tokens. */
const minTokenLength = 8;

const toOneLine = (text: string, maxLength: number): string =>
  visibleText(text.replaceAll(/\s+/gu, " ").trim(), maxLength);

/** Returns the git user name for this folder, otherwise the name of the account. */
function findDefaultOwner(cwd: string): string {
  try {
    const name = execFileSync("git", ["config", "user.name"], {
      cwd,
      encoding: "utf8",
      timeout: gitTimeoutMs,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return toOneLine(name.replaceAll(/[()]/gu, " "), maxOwnerLength);
  } catch {
    // There is no git, or it has no user name.
    return userInfo().username;
  }
}

const createUsageError = (message: string): HarnessError => new HarnessError("usage", message);

function readExpiryDate({ until }: AcceptOptions): string {
  const today = new Date().toISOString().slice(0, 10);
  if (until === undefined) {
    throw createUsageError("set the last day on which the failure is accepted: --until YYYY-MM-DD");
  }
  if (!isDate(until)) {
    throw createUsageError(`--until ${visibleText(until, 60)} is not a day; write it as YYYY-MM-DD`);
  }
  if (until < today) {
    throw createUsageError(`--until ${until} is in the past; set today, ${today}, or a later day`);
  }
  return until;
}

/** Checks the expiry date, reason and owner. Throws a `HarnessError`, also if one of them contains a token. */
export function readEntryDetails(
  options: AcceptOptions,
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
): EntryDetails {
  const expires = readExpiryDate(options);
  const reason = toOneLine(options.reason ?? "", maxReasonLength);
  if (!/[\p{L}\p{N}]/u.test(reason)) {
    throw createUsageError('set the reason for accepting the failure: --reason "The proxy sends a comment."');
  }
  const owner = toOneLine(options.owner ?? findDefaultOwner(cwd), maxOwnerLength);
  const tokens = Object.entries(env).flatMap(([name, value]) =>
    /token/iu.test(name) && value !== undefined && value.length >= minTokenLength ? [value] : [],
  );
  for (const [flagName, text] of [
    ["--reason", reason],
    ["--owner", owner],
  ] as const) {
    if (containsToken(text) || tokens.some((token) => text.includes(token))) {
      throw createUsageError(`${flagName} contains a token; remove it, because the list is public`);
    }
  }
  return { expires, reason, owner };
}
