import { HarnessError } from "@assay/contract";
import { chooseFault, type FaultChoice } from "./fault-registry.ts";

const choiceSyntax = "id:name=value,name=value";

/** The input may be long, so messages repeat only its beginning. */
const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

const readSetting = (id: string, setting: string): readonly [string, string] => {
  const equalsIndex = setting.indexOf("=");
  if (equalsIndex < 1) {
    throw new HarnessError(
      "invalid-fault-parameter",
      `${quote(setting)} is not a parameter of the fault ${id}; write a fault as ${choiceSyntax}.`,
    );
  }
  return [setting.slice(0, equalsIndex).trim(), setting.slice(equalsIndex + 1).trim()];
};

/**
 * Parses `id` or `id:name=value,name=value`. Ignores white space around names and values. Throws `unknown-fault`,
 * `unknown-fault-parameter` or `invalid-fault-parameter`, the latter also for a repeated parameter.
 */
export const parseFaultChoice = (text: string): FaultChoice => {
  const colonIndex = text.indexOf(":");
  const id = (colonIndex < 0 ? text : text.slice(0, colonIndex)).trim();
  chooseFault(id);
  if (colonIndex < 0) {
    return { id };
  }
  const settings = text
    .slice(colonIndex + 1)
    .split(",")
    .map((setting) => readSetting(id, setting.trim()));
  const params = new Map(settings);
  if (params.size < settings.length) {
    throw new HarnessError(
      "invalid-fault-parameter",
      `a parameter of the fault ${id} is set twice in ${quote(text)}; set each parameter once.`,
    );
  }
  const parsedSettings = Object.fromEntries(params);
  const { values } = chooseFault({ id, params: parsedSettings });
  return { id, params: Object.fromEntries(Object.entries(values).filter(([name]) => params.has(name))) };
};
