import { HarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { createChecker } from "@assay/reading";
import { upgradeFromVersion1, findUnreadableVersion } from "@assay/results";
import { type StoredRun, StoredRunShape } from "../compare/stored-run.ts";

const storedRunChecker = createChecker(StoredRunShape, { allowsUnknownMembers: true });

/**
 * Checks that a value has all members of a load result that a comparison reads. `origin` names it in messages.
 * Fails with `unsupported-schema` or `not-a-load-result`.
 */
export const readStoredRun = (stored: unknown, origin: string): StoredRun => {
  const value = upgradeFromVersion1(stored);
  const version = findUnreadableVersion(value);
  if (version !== undefined) {
    throw new HarnessError(
      "unsupported-schema",
      `${origin} has schema version ${version}, and this version of Assay reads only 1 and 2; repeat the run with this version.`,
    );
  }
  if (!storedRunChecker.fits(value)) {
    const problem = visibleText(storedRunChecker.problem(value) ?? "it does not fit", 300);
    throw new HarnessError(
      "not-a-load-result",
      `${origin} is not the result of a load run (${problem}); pass a run that \`assay load\` has stored.`,
    );
  }
  return value;
};
