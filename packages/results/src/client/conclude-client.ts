import { counted, defined } from "@assay/contract";
import { countOutcomes, incompleteReasons } from "../conclude-run.ts";
import { conclude, namesText, type Endings } from "../conclude.ts";
import type { InterruptSignal } from "../exit-codes.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { RuleVerdict } from "../verdict.ts";
import type { ClientReport, ClientTrial } from "./client-report.ts";
import { trialLabel } from "./trial-label.ts";

/** Everything that decides the outcome of a run of trials. */
export interface ClientFacts {
  readonly trials: readonly ClientTrial[];
  /** Labels of trials that were requested by name: a client may not leave them out. */
  readonly wanted: readonly string[];
  readonly interrupted?: InterruptSignal;
  /** Trials that did not begin because of `--bail` [0]. */
  readonly bailed?: number;
}

/** The outcome of a run of trials. Only `concludeClient` creates it. */
export type ClientConclusion = Pick<ClientReport, "outcome" | "exitCode" | "summary" | "incomplete" | "counts">;

const asRules = (trials: readonly ClientTrial[]): readonly RuleVerdict[] =>
  trials.flatMap(({ checks, interface: name, trial }) =>
    checks.map(({ basis, check, requirements, title, verdict }) => ({
      rule: check,
      interface: name,
      operation: trial,
      title,
      basis,
      requirements,
      mustTest: false,
      verdict,
    })),
  );

const missingRequestAdvice =
  "it has to ask the server that SRC_ENDPOINT names, or to exit with 77 to leave a trial out";

const onlySearchedAdvice =
  "where that is all it can do, try it with --interface stream, or have it exit with 77 where ASSAY_TASK is not search";

const absenceReasons = ({ trials, wanted }: ClientFacts): readonly IncompleteReason[] => {
  const absent = trials.filter(({ participation }) => participation === "no-request");
  const withoutRequest = absent.filter(({ requests }) => requests === 0).map(trialLabel);
  const onlySearched = absent.filter(({ requests }) => requests > 0).map(trialLabel);
  const leftOutTrials = trials
    .filter((trial) => trial.participation === "skipped" && wanted.includes(trialLabel(trial)))
    .map(trialLabel);
  if (trials.length > 0 && trials.every(({ participation }) => participation === "skipped")) {
    return [{ code: "nothing-observed", message: "the client left out every trial (exit status 77)" }];
  }
  return [
    ...(withoutRequest.length === 0
      ? []
      : [
          {
            code: "nothing-observed",
            message: `the client sent no request in ${counted(withoutRequest.length, "trial")} (${namesText(withoutRequest)}); ${missingRequestAdvice}`,
          } as const,
        ]),
    ...(onlySearched.length === 0
      ? []
      : [
          {
            code: "nothing-observed",
            message: `the client only searched in ${counted(onlySearched.length, "trial")} whose task was to ask (${namesText(onlySearched)}); ${onlySearchedAdvice}`,
          } as const,
        ]),
    ...(leftOutTrials.length === 0
      ? []
      : [
          {
            code: "must-test",
            message: `the client left out ${namesText(leftOutTrials)}, although asked for by name`,
          } as const,
        ]),
  ];
};

const bail = ({ bailed = 0, trials }: ClientFacts): readonly IncompleteReason[] =>
  bailed === 0
    ? []
    : [
        {
          code: "bail",
          message: `--bail left out ${counted(bailed, "trial")} after ${namesText(outcomesOf(trials, "failed"))} failed`,
        },
      ];

const outcomesOf = (trials: readonly ClientTrial[], wanted: string): readonly string[] => [
  ...new Set(
    trials.flatMap(({ checks }) =>
      checks.filter(({ verdict }) => verdict.outcome === wanted).map(({ check }) => check),
    ),
  ),
];

const failedText = (trials: readonly ClientTrial[]): string | undefined => {
  const checks = outcomesOf(trials, "failed");
  const count = trials.filter((trial) => outcomesOf([trial], "failed").length > 0).length;
  const tried = trials.filter(({ participation }) => participation !== "skipped").length;
  return checks.length === 0
    ? undefined
    : `the client failed ${count} of ${counted(tried, "trial")}: ${namesText(checks)}`;
};

const passedText = (trials: readonly ClientTrial[]): string => {
  const warned = outcomesOf(trials, "warned");
  const passed = trials.filter(({ participation }) => participation === "took-part").length;
  const leftOutCount = trials.length - passed;
  return [
    `the client passed ${counted(passed, "trial")}`,
    ...(warned.length === 0 ? [] : [`, with warnings of ${namesText(warned)}`]),
    ...(leftOutCount === 0 ? [] : [`; it left out ${counted(leftOutCount, "trial")}`]),
  ].join("");
};

const clientEndings: Endings<ClientFacts & Pick<ClientConclusion, "incomplete">> = {
  interrupted: ({ interrupted, trials }) =>
    interrupted === undefined ? undefined : `interrupted by ${interrupted} after ${counted(trials.length, "trial")}`,
  failed: ({ trials, incomplete: [first] }) => {
    const failed = failedText(trials);
    return failed === undefined || first === undefined ? failed : `${failed}; also incomplete: ${first.message}`;
  },
  incomplete: ({ incomplete: [first] }) => first && `no verdict on the client: ${first.message}`,
  passed: ({ trials }) => passedText(trials),
};

/**
 * Decides outcome, exit code and summary of trials, with the reasons of every run. A client that took part in no trial does not pass. Nor
 * does a client that sent no request in a trial without exit status 77.
 */
export const concludeClient = (facts: ClientFacts): ClientConclusion => {
  const { interrupted, trials } = facts;
  const verdicts = asRules(trials);
  const reasons = [...absenceReasons(facts), ...bail(facts)];
  const incomplete = incompleteReasons({ verdicts, incomplete: reasons, ...defined({ interrupted }) });
  const { outcome, exitCode, summary } = conclude(clientEndings, { ...facts, incomplete }, interrupted);
  return { outcome, exitCode, incomplete, counts: countOutcomes(verdicts), summary };
};
