import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { RuleId } from "@assay/contract";
import type { RuleExample } from "@assay/results";

/** The published package contains only the compressed file. */
const file = new URL("../rule-examples.json", import.meta.url);
const compressedFile = new URL("../rule-examples.json.gz", import.meta.url);

/** Returns the example of a rule: a response that passes and a response that fails. */
export function ruleExample(rule: RuleId): RuleExample | undefined {
  const text = existsSync(file) ? readFileSync(file, "utf8") : gunzipSync(readFileSync(compressedFile)).toString();
  const examples: Readonly<Record<string, RuleExample>> = JSON.parse(text);
  return examples[rule];
}
