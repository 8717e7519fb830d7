import { HarnessError, isRuleId } from "@assay/contract";
import { member } from "@assay/reading";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseBaseUrl } from "@assay/client";
import { bundleFiles, visibleText } from "@assay/evidence";
import { ruleStanding } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { findNewestRun } from "../latest-run.ts";
import { readVerdicts } from "../report/read-verdicts.ts";
import { type RunOptions, failedRulesName } from "./run-options.ts";
import { readEndpoint } from "./run-target.ts";

/** Returns the target URL as manifests record it, or undefined for the embedded server. */
function findTargetUrl({ embedded, url }: RunOptions, env: NodeJS.ProcessEnv): string | undefined {
  const endpoint = embedded === true ? undefined : (url ?? readEndpoint(env));
  return endpoint === undefined ? undefined : parseBaseUrl(endpoint).href.replace(/\/+$/u, "");
}

/** Reports whether the run in a folder tested the target with this URL, or an embedded server if there is no URL. */
function isRunOfTarget(targetUrl: string | undefined, folder: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, bundleFiles.manifest), "utf8"));
    const target = member(manifest, "target");
    return targetUrl === undefined ? member(target, "embedded") === true : member(target, "url") === targetUrl;
  } catch {
    // The target is unknown if the manifest is unreadable.
    return false;
  }
}

/** Returns the rules that made a run fail and that exist in this version. */
function readFailedRules(folder: string, cwd: string): readonly string[] {
  const shownPath = visibleText(join(folder, "verdicts.json"), 200);
  const { verdicts } = readVerdicts(resolve(cwd, folder, "verdicts.json"), shownPath);
  return verdicts
    .filter((rule) => ["failed", "fixed"].includes(ruleStanding(rule)))
    .flatMap(({ rule }) => (isRuleId(rule) ? [rule] : []));
}

/**
 * Replaces `--rule @failed` with the ids of the failed rules, and prints them on standard error. Throws a `HarnessError` if there is no run
 * of this target, or if no rule is left.
 */
export function replaceFailedRules(options: RunOptions, { cwd, env, err }: CommandContext): RunOptions {
  const { rule: patterns } = options;
  if (patterns?.includes(failedRulesName) !== true) {
    return options;
  }
  const targetUrl = findTargetUrl(options, env);
  const target = targetUrl === undefined ? "the embedded server" : visibleText(targetUrl, 200);
  const folder = findNewestRun(cwd, "verdicts", (candidate) => isRunOfTarget(targetUrl, candidate));
  if (folder === undefined) {
    throw new HarnessError(
      "usage",
      `there is no judged run of ${target} in reports/runs, so \`--rule ${failedRulesName}\` selects nothing; run all rules first`,
    );
  }
  const failedRules = readFailedRules(folder, cwd);
  const rule = [...patterns.filter((pattern) => pattern !== failedRulesName), ...failedRules];
  if (rule.length === 0) {
    throw new HarnessError(
      "usage",
      `no rule failed in ${folder}, the newest run of ${target}, so nothing would be tested; remove \`--rule ${failedRulesName}\``,
    );
  }
  err(
    `note: ${failedRulesName} means ${failedRules.length === 0 ? "no rule" : failedRules.join(", ")} (from ${folder})\n`,
  );
  return { ...options, rule };
}
