import { toShellWord } from "@assay/evidence";
import { formatEntryTarget, formatFailureName } from "@assay/results";
import type { ReportedFinding, RuleVerdict, RunResult } from "@assay/results";
import { escapeForDisplay } from "../document/shown-text.ts";

type Run = RunResult["run"];

/** Number of days for which a copied entry or command accepts a failure. */
const acceptedDays = 30;

const computeExpiryDate = ({ startedAt }: Run): string => {
  const day = new Date(Date.parse(startedAt) + acceptedDays * 86_400_000);
  return Number.isNaN(day.getTime()) ? "YYYY-MM-DD" : day.toISOString().slice(0, 10);
};

/** Formats a group of a known-failure list that accepts this kind of finding, with placeholders for reason and owner. */
export const createKnownFailureEntry = (rule: RuleVerdict, finding: ReportedFinding, run: Run): string =>
  [
    "# REASON: why this failure is accepted",
    `# owner: OWNER   expires: ${computeExpiryDate(run)}`,
    `${escapeForDisplay(formatFailureName(rule, finding), "url")}   ${escapeForDisplay(formatEntryTarget(run), "url").replaceAll(/\s/gu, "%20")}`,
    "",
  ].join("\n");

/** Formats the command that accepts failures of the run in the folder or with the id `name`, with a placeholder for the reason. */
export const formatAcceptCommand = (name: string, failures: readonly string[], run: Run): string => {
  const words = [escapeForDisplay(name, "url"), ...failures.map((failure) => escapeForDisplay(failure, "url"))];
  return `npx assay accept ${words.map(toShellWord).join(" ")} --until ${computeExpiryDate(run)} --reason "…"`;
};
