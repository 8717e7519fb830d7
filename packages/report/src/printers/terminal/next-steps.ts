import { toShellWord } from "@assay/evidence";
import { type ReportedFinding, type RuleVerdict, type RunResult } from "@assay/results";
import { listFailedRules } from "../../document/run-sections.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { formatAcceptCommand } from "../known-failure-entry.ts";

/** A command to copy, with a label. */
export interface NextStep {
  readonly label: string;
  /** Printed on one line regardless of its length, so that it can be copied. */
  readonly command: string;
}

export interface NextStepOptions {
  /** The folder of the run, as passed by the user. Without it, the step `explain` is omitted. */
  readonly evidence?: string | undefined;
}

/** Maximum number of rules in the command that accepts them. */
const maxAccepted = 3;

/** Rules whose usual cause of failure is a proxy: malformed streams, and results that arrive at the same time. */
const mayBeCausedByProxy = ({ rule, interface: name, verdict }: RuleVerdict): boolean =>
  name === "stream" &&
  verdict.outcome === "failed" &&
  (rule === "stream/results-arrive-incrementally" ||
    verdict.findings.some(({ standardClient }: ReportedFinding) => standardClient !== undefined));

/** Returns the next commands after a failed run: explain the first rule, check for a proxy, accept known failures unless Assay started the server. */
export const listNextSteps = (result: RunResult, { evidence }: NextStepOptions): readonly NextStep[] => {
  const failures = listFailedRules(result);
  const [firstRule] = failures;
  const { embedded, target } = result.run;
  const url = escapeForDisplay(target, "url");
  if (firstRule === undefined) {
    return [];
  }
  const id = escapeForDisplay(firstRule.rule, "name");
  return [
    ...(evidence === undefined
      ? []
      : [
          {
            label: "explain",
            command: `npx assay explain ${toShellWord(escapeForDisplay(evidence, "url"))} ${toShellWord(id)}`,
          },
        ]),
    ...(!embedded && evidence !== undefined && failures.some(mayBeCausedByProxy)
      ? [{ label: "proxy?", command: `npx assay doctor --url ${toShellWord(url)}` }]
      : []),
    ...(embedded || evidence === undefined
      ? []
      : [
          {
            label: "accept",
            command: formatAcceptCommand(
              evidence,
              failures.slice(0, maxAccepted).map(({ rule }) => rule),
              result.run,
            ),
          },
        ]),
  ];
};
