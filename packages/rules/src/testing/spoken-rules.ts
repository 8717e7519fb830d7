import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isConversationRuleId, ruleIds } from "@assay/contract";

/** Rules about conversations that failed and passed in a worker by the end of a test file. */
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

/** Rules that never failed, or never passed, in all test files together. */
function describeMissing(spoken: readonly Spoken[]): string {
  const missing = (kind: keyof Spoken): readonly string[] => {
    const seen = new Set(spoken.flatMap((one) => one[kind]));
    return ruleIds.filter((id) => isConversationRuleId(id) && !seen.has(id)).map((id) => `${id} is never ${kind}`);
  };
  return [...missing("broken"), ...missing("held")].join("; ");
}

/** After all tests of the package, checks that each rule about conversations failed and passed at least once. */
export default function setup(): () => void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(spokenFile, "");
  return () => {
    const spoken = readSpoken();
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".test.ts"),
    );
    const missing = spoken.length < files.length ? "" : describeMissing(spoken);
    if (missing !== "") {
      process.stderr.write(`Tests must make every rule about conversations pass and fail, but ${missing}\n`);
      process.exitCode = 1;
    }
  };
}
