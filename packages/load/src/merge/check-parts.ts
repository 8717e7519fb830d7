import { realpath } from "node:fs/promises";
import type { LoadPlan } from "@assay/results";
import { LoadError } from "../load-error.ts";
import { membersOf } from "../samples/json-members.ts";
import type { MergePart } from "./merge-part.ts";

/** JSON with members in order, so that equal values give equal texts. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  const members = membersOf(value);
  return members === undefined
    ? (JSON.stringify(value) ?? "null")
    : `{${Object.keys(members)
        .sort()
        .map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`)
        .join(",")}}`;
};

/** A plan without what differs between processes that share one load: rates, numbers of users and the marks of a run. */
const commonPlan = ({
  ratePerSecond: _rate,
  maxVus: _vus,
  targets: _targets,
  conversation,
  ...plan
}: LoadPlan): string => {
  const { marker: _marker, budget: _budget, ...questions } = conversation ?? {};
  return canonical({ ...plan, conversation: questions });
};

/** What makes a run this one and no other; two parts that agree in it were one run. */
const identityOf = ({ result, sources: { samples, summary } }: MergePart): string =>
  result?.run.id ?? canonical([samples?.header, summary?.testDurationMs, summary?.generator, summary?.histograms]);

const checkTwice = async (parts: readonly MergePart[]): Promise<void> => {
  const seen = new Map<string, string>();
  for (const part of parts) {
    for (const identity of [await realpath(part.folder), identityOf(part)]) {
      const other = seen.get(identity);
      if (other !== undefined && other !== part.folder) {
        throw new LoadError(
          "merged-twice",
          `${other} and ${part.folder} are the same run; counting it twice would feign certainty`,
        );
      }
      seen.set(identity, part.folder);
    }
  }
};

const differs = (first: MergePart, part: MergePart): LoadError | undefined => {
  const both = `${first.folder} and ${part.folder}`;
  if (first.scenarioSha256 !== part.scenarioSha256 || part.scenarioSha256 === "") {
    return new LoadError(
      "different-scenario",
      `${both} did not run the same script, or do not say which; their figures do not add up`,
    );
  }
  if (canonical(first.plan.targets) !== canonical(part.plan.targets)) {
    return new LoadError(
      "different-target",
      `${both} made load on different targets: ${first.plan.targets.a} and ${part.plan.targets.a}`,
    );
  }
  return commonPlan(first.plan) === commonPlan(part.plan)
    ? undefined
    : new LoadError(
        "different-plan",
        `${both} had different plans beyond their rates; only shares of one load can be merged`,
      );
};

/**
 * Makes sure that runs are shares of one load: none twice, the same script, targets and plan but for rates, numbers of users and
 * marks. Fails with `merged-twice`, `different-scenario`, `different-target` or `different-plan`.
 */
export const checkParts = async (parts: readonly [MergePart, ...MergePart[]]): Promise<void> => {
  const folders = await Promise.all(parts.map(async ({ folder }) => realpath(folder)));
  const again = folders.find((folder, index) => folders.indexOf(folder) !== index);
  if (again !== undefined) {
    throw new LoadError("merged-twice", `${again} is given twice; counting it twice would feign certainty`);
  }
  await checkTwice(parts);
  for (const part of parts.slice(1)) {
    const error = differs(parts[0], part);
    if (error !== undefined) {
      throw error;
    }
  }
};
