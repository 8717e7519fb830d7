import { appendFileSync } from "node:fs";
import { afterAll } from "vitest";
import { type RuleLog, ruleLogFile } from "./rule-log.ts";
import { failedRuleIds, passedRuleIds } from "./watched-rules.ts";

// Vitest loads this file before each test file. After the test file, it adds the rules that failed and passed to the log.
afterAll(() => {
  const log: RuleLog = { failed: [...failedRuleIds], passed: [...passedRuleIds] };
  appendFileSync(ruleLogFile, `${JSON.stringify(log)}\n`);
});
