import { HarnessError } from "@assay/contract";
import { type Trial, trialNames, trials } from "@assay/client-trials";
import { nearestName } from "@assay/runner";
import type { ClientOptions } from "./client-options.ts";

const interfaceNames = ["stream", "legacy", "current"];

const checkNames = (given: readonly string[], known: readonly string[], flagName: string): void => {
  const wrong = given.find((name) => !known.includes(name));
  if (wrong === undefined) {
    return;
  }
  const near = nearestName(wrong, known);
  const hint = near === undefined ? "" : `did you mean "${near}"? `;
  throw new HarnessError(
    "usage",
    `--${flagName}: unknown name ${JSON.stringify(wrong)}; ${hint}choose one of ${known.join(", ")}`,
  );
};

/** Returns the selected trials in list order. Throws a `HarnessError` for unknown names. */
export const selectTrials = ({
  interface: interfaces,
  trial: names,
}: Pick<ClientOptions, "interface" | "trial">): readonly Trial[] => {
  checkNames(names ?? [], trialNames, "trial");
  checkNames(interfaces ?? [], interfaceNames, "interface");
  const chosen = trials.filter(
    ({ interface: name, name: trial }) =>
      (names === undefined || names.includes(trial)) && (interfaces === undefined || interfaces.includes(name)),
  );
  if (chosen.length === 0) {
    throw new HarnessError("usage", "no trial matches both --trial and --interface; remove one of them");
  }
  return chosen;
};
