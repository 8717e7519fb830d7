import { HarnessError } from "@assay/contract";
import { type Trial, trialNames, trials } from "@assay/client-trials";
import { nearestName } from "@assay/runner";
import type { ClientOptions } from "./client-options.ts";

const interfaceNames = ["stream", "legacy", "current"];

const rejectUnknownName = (names: readonly string[], knownNames: readonly string[], flagName: string): void => {
  const unknownName = names.find((name) => !knownNames.includes(name));
  if (unknownName === undefined) {
    return;
  }
  const suggestion = nearestName(unknownName, knownNames);
  const hint = suggestion === undefined ? "choose" : `did you mean "${suggestion}"? Choose`;
  throw new HarnessError(
    "usage",
    `--${flagName}: unknown name ${JSON.stringify(unknownName)}; ${hint} one of ${knownNames.join(", ")}`,
  );
};

/** Returns the selected trials in the order of `assay client --list`. Throws a `HarnessError` for unknown names. */
export const selectTrials = ({
  interface: interfaces,
  trial: names,
}: Pick<ClientOptions, "interface" | "trial">): readonly Trial[] => {
  rejectUnknownName(names ?? [], trialNames, "trial");
  rejectUnknownName(interfaces ?? [], interfaceNames, "interface");
  const selectedTrials = trials.filter(
    ({ interface: interfaceName, name }) =>
      (names === undefined || names.includes(name)) && (interfaces === undefined || interfaces.includes(interfaceName)),
  );
  if (selectedTrials.length === 0) {
    throw new HarnessError("usage", "no trial matches both --trial and --interface; remove one of them");
  }
  return selectedTrials;
};
