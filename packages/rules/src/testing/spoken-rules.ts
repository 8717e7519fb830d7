import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isConversationRuleId, ruleIds } from "@assay/contract";

/** What rules about conversations have said in a worker when a test file ended. */
export interface Spoken {
  readonly broken: readonly string[];
  readonly held: readonly string[];
}

const folder = fileURLToPath(new URL("../../.results/", import.meta.url));
export const spokenFile = `${folder}spoken-rules.ndjson`;

const source = fileURLToPath(new URL("..", import.meta.url));

const readSpoken = (): readonly Spoken[] =>
  readFileSync(spokenFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Spoken => JSON.parse(line));

/** What has to be said of all test files together: each rule was seen to fail, and to hold. */
function whatIsMissing(spoken: readonly Spoken[]): string {
  const missing = (kind: keyof Spoken): readonly string[] => {
    const seen = new Set(spoken.flatMap((one) => one[kind]));
    return ruleIds.filter((id) => isConversationRuleId(id) && !seen.has(id)).map((id) => `${id} is never ${kind}`);
  };
  return [...missing("broken"), ...missing("held")].join("; ");
}

/** Looks, when all tests of the package have run, whether they show each rule what breaks and what keeps its requirements. */
export default function setup(): () => void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(spokenFile, "");
  return () => {
    const spoken = readSpoken();
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".test.ts"),
    );
    const missing = spoken.length < files.length ? "" : whatIsMissing(spoken);
    if (missing !== "") {
      process.stderr.write(`Tests show every rule what breaks and what keeps its requirements, but ${missing}\n`);
      process.exitCode = 1;
    }
  };
}
