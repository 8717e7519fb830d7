import { HarnessError } from "@assay/contract";
import { type Trial, trialNames, trials } from "@assay/client-trials";
import { nearestName } from "@assay/runner";
import type { ClientOptions } from "./client-options.ts";

const interfaceNames = ["stream", "legacy", "current"];

const checkNames = (names: readonly string[], knownNames: readonly string[], flagName: string): void => {
  const unknownName = names.find((name) => !knownNames.includes(name));
  if (unknownName === undefined) {
    return;
  }
  const suggestion = nearestName(unknownName, knownNames);
  const hint = suggestion === undefined ? "" : `did you mean "${suggestion}"? `;
  throw new HarnessError(
    "usage",
    `--${flagName}: unknown name ${JSON.stringify(unknownName)}; ${hint}choose one of ${knownNames.join(", ")}`,
  );
};

/** Returns the selected trials in list order. Throws a `HarnessError` for unknown names. */
export const selectTrials = ({
  interface: interfaces,
  trial: names,
}: Pick<ClientOptions, "interface" | "trial">): readonly Trial[] => {
  checkNames(names ?? [], trialNames, "trial");
  checkNames(interfaces ?? [], interfaceNames, "interface");
  const selectedTrials = trials.filter(
    ({ interface: name, name: trial }) =>
      (names === undefined || names.includes(trial)) && (interfaces === undefined || interfaces.includes(name)),
  );
  if (selectedTrials.length === 0) {
    throw new HarnessError("usage", "no trial matches both --trial and --interface; remove one of them");
  }
  return selectedTrials;
};
