import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isConversationRuleId, ruleIds } from "@assay/contract";

/** Ids of the rules about conversations that failed and passed in a worker before the end of a test file. */
export interface RuleLog {
  readonly failed: readonly string[];
  readonly passed: readonly string[];
}

const folder = fileURLToPath(new URL("../../.results/", import.meta.url));
export const ruleLogFile = `${folder}rule-log.ndjson`;

const source = fileURLToPath(new URL("..", import.meta.url));

const readRuleLogs = (): readonly RuleLog[] =>
  readFileSync(ruleLogFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): RuleLog => JSON.parse(line));

/** Lists the rules that never failed, or never passed, in all test files together. */
function describeMissing(logs: readonly RuleLog[]): string {
  const idsWithout = (kind: keyof RuleLog): readonly string[] => {
    const seenIds = new Set(logs.flatMap((log) => log[kind]));
    return ruleIds.filter((id) => isConversationRuleId(id) && !seenIds.has(id)).map((id) => `${id} never ${kind}`);
  };
  return [...idsWithout("failed"), ...idsWithout("passed")].join("; ");
}

/** After all tests of the package, checks that each rule about conversations failed and passed at least once. */
export default function setup(): () => void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(ruleLogFile, "");
  return () => {
    const logs = readRuleLogs();
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".test.ts"),
    );
    const missing = logs.length < files.length ? "" : describeMissing(logs);
    if (missing !== "") {
      process.stderr.write(`Tests must make every rule about conversations pass and fail, but ${missing}\n`);
      process.exitCode = 1;
    }
  };
}
