import { shellWord } from "@assay/evidence";
import { type ReportedFinding, type RuleVerdict, type RunResult } from "@assay/results";
import { failedRules } from "../../document/run-sections.ts";
import { shownText } from "../../document/shown-text.ts";
import { acceptCommand } from "../known-failure-entry.ts";

/** A command or a line to copy, after a label. */
export interface NextStep {
  readonly label: string;
  /** Shown in one line however long, so that it can be copied. */
  readonly command: string;
}

/** What the steps need to know. */
export interface NextStepOptions {
  /** The folder with the evidence of the run, as its reader names it [no step explains]. */
  readonly evidence?: string | undefined;
}

/** At most this many rules stand in the command that accepts them. */
const maxAccepted = 3;

/** Violations of the form of a stream, and results that came in one piece, are mostly the work of a proxy. */
const mayBeAProxy = ({ rule, interface: name, verdict }: RuleVerdict): boolean =>
  name === "stream" &&
  verdict.outcome === "failed" &&
  (rule === "stream/results-arrive-incrementally" ||
    verdict.findings.some(({ standardClient }: ReportedFinding) => standardClient !== undefined));

/** What to do about a run that failed: explain the first rule, look for a proxy, accept what is known. Nothing on a server that Assay started can be accepted. */
export const nextSteps = (result: RunResult, { evidence }: NextStepOptions): readonly NextStep[] => {
  const failed = failedRules(result);
  const [first] = failed;
  const { embedded, target } = result.run;
  const url = shownText(target, "url");
  if (first === undefined) {
    return [];
  }
  const id = shownText(first.rule, "name");
  return [
    ...(evidence === undefined
      ? []
      : [{ label: "explain", command: `npx assay explain ${shellWord(shownText(evidence, "url"))} ${shellWord(id)}` }]),
    ...(!embedded && evidence !== undefined && failed.some(mayBeAProxy)
      ? [{ label: "proxy?", command: `npx assay doctor --url ${shellWord(url)}` }]
      : []),
    ...(embedded || evidence === undefined
      ? []
      : [
          {
            label: "accept",
            command: acceptCommand(
              evidence,
              failed.slice(0, maxAccepted).map(({ rule }) => rule),
              result.run,
            ),
          },
        ]),
  ];
};
