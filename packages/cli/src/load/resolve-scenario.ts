import { HarnessError } from "@assay/contract";
import { existsSync, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { nearestName } from "@assay/runner";
import { type ScenarioFacts, isScenarioName, getScenarioFacts, scenarioNames } from "@assay/scenarios";
import type { ScenarioName } from "@assay/scenarios";
import { rejectMistypedPath } from "../nearest-file.ts";

/** The scenario of a load run. */
export interface ChosenScenario {
  /** A name, or the absolute path of a user's file. */
  readonly source: string;
  /** Name for plans and reports. */
  readonly name: string;
  /** The scenario whose defaults apply. */
  readonly defaultsFrom: ScenarioName;
  readonly facts: ScenarioFacts;
}

const isFileName = (text: string): boolean => /[/\\]/u.test(text) || [".ts", ".js"].includes(extname(text));

function resolveUserFile(text: string, cwd: string): ChosenScenario {
  const path = resolve(cwd, text);
  rejectMistypedPath(text, cwd);
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new HarnessError(
      "usage",
      `there is no scenario file ${text}; check the path, or name one of ${scenarioNames.join(", ")}`,
    );
  }
  // A user's file may search and ask questions.
  const facts = { searches: true, asksQuestions: false, hasBlocks: true };
  return { source: path, name: basename(path).slice(0, 80), defaultsFrom: "search-first-match", facts };
}

/** Resolves the scenario argument. Throws a `HarnessError` that suggests the nearest scenario. */
export function resolveScenario(text: string, cwd: string): ChosenScenario {
  if (isScenarioName(text)) {
    return { source: text, name: text, defaultsFrom: text, facts: getScenarioFacts(text) };
  }
  if (isFileName(text)) {
    return resolveUserFile(text, cwd);
  }
  const suggestion = nearestName(text, scenarioNames);
  const hint = suggestion === undefined ? "" : `did you mean \`${suggestion}\`? `;
  throw new HarnessError(
    "usage",
    `there is no scenario \`${text}\`; ${hint}scenarios are ${scenarioNames.join(", ")}, or name a .ts or .js file`,
  );
}
