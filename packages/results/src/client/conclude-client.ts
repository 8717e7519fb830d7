import { counted, defined } from "@assay/contract";
import { countOutcomes, listIncompleteReasons } from "../conclude-run.ts";
import { conclude, formatNames, type Endings } from "../conclude.ts";
import type { InterruptSignal } from "../exit-codes.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { RuleVerdict } from "../verdict.ts";
import type { ClientReport, ClientTrial } from "./client-report.ts";
import { formatTrialLabel } from "./trial-label.ts";

/** Everything that decides the outcome of a run of trials. */
export interface ClientFacts {
  readonly trials: readonly ClientTrial[];
  /** Labels of trials that were requested by name. A client must not skip them. */
  readonly requestedTrials: readonly string[];
  readonly interrupted?: InterruptSignal;
  /** Trials that did not begin because of `--bail`. Default: 0. */
  readonly bailedTrials?: number;
}

/** The outcome of a run of trials. Only `concludeClient` creates it. */
export type ClientConclusion = Pick<ClientReport, "outcome" | "exitCode" | "summary" | "incomplete" | "counts">;

const toRuleVerdicts = (trials: readonly ClientTrial[]): readonly RuleVerdict[] =>
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

const listAbsenceReasons = ({ trials, requestedTrials }: ClientFacts): readonly IncompleteReason[] => {
  const withoutTaskRequests = trials.filter(({ participation }) => participation === "no-request");
  const withoutRequest = withoutTaskRequests.filter(({ requests }) => requests === 0).map(formatTrialLabel);
  const onlySearched = withoutTaskRequests.filter(({ requests }) => requests > 0).map(formatTrialLabel);
  const leftOutTrials = trials
    .filter((trial) => trial.participation === "skipped" && requestedTrials.includes(formatTrialLabel(trial)))
    .map(formatTrialLabel);
  if (trials.length > 0 && trials.every(({ participation }) => participation === "skipped")) {
    return [{ code: "nothing-observed", message: "the client left out every trial (exit status 77)" }];
  }
  return [
    ...(withoutRequest.length === 0
      ? []
      : [
          {
            code: "nothing-observed",
            message: `the client sent no request in ${counted(withoutRequest.length, "trial")} (${formatNames(withoutRequest)}); ${missingRequestAdvice}`,
          } as const,
        ]),
    ...(onlySearched.length === 0
      ? []
      : [
          {
            code: "nothing-observed",
            message: `the client only searched in ${counted(onlySearched.length, "trial")} whose task was to ask (${formatNames(onlySearched)}); ${onlySearchedAdvice}`,
          } as const,
        ]),
    ...(leftOutTrials.length === 0
      ? []
      : [
          {
            code: "must-test",
            message: `the client left out ${formatNames(leftOutTrials)}, although asked for by name`,
          } as const,
        ]),
  ];
};

const listBailReasons = ({ bailedTrials = 0, trials }: ClientFacts): readonly IncompleteReason[] =>
  bailedTrials === 0
    ? []
    : [
        {
          code: "bail",
          message: `--bail left out ${counted(bailedTrials, "trial")} after ${formatNames(listChecksWithOutcome(trials, "failed"))} failed`,
        },
      ];

const listChecksWithOutcome = (trials: readonly ClientTrial[], outcome: string): readonly string[] => [
  ...new Set(
    trials.flatMap(({ checks }) =>
      checks.filter(({ verdict }) => verdict.outcome === outcome).map(({ check }) => check),
    ),
  ),
];

const describeFailures = (trials: readonly ClientTrial[]): string | undefined => {
  const checks = listChecksWithOutcome(trials, "failed");
  const failedCount = trials.filter((trial) => listChecksWithOutcome([trial], "failed").length > 0).length;
  const triedCount = trials.filter(({ participation }) => participation !== "skipped").length;
  return checks.length === 0
    ? undefined
    : `the client failed ${failedCount} of ${counted(triedCount, "trial")}: ${formatNames(checks)}`;
};

const describePassed = (trials: readonly ClientTrial[]): string => {
  const warnedChecks = listChecksWithOutcome(trials, "warned");
  const passedCount = trials.filter(({ participation }) => participation === "took-part").length;
  const leftOutCount = trials.length - passedCount;
  return [
    `the client passed ${counted(passedCount, "trial")}`,
    ...(warnedChecks.length === 0 ? [] : [`, with warnings of ${formatNames(warnedChecks)}`]),
    ...(leftOutCount === 0 ? [] : [`; it left out ${counted(leftOutCount, "trial")}`]),
  ].join("");
};

const clientEndings: Endings<ClientFacts & Pick<ClientConclusion, "incomplete">> = {
  interrupted: ({ interrupted, trials }) =>
    interrupted === undefined ? undefined : `interrupted by ${interrupted} after ${counted(trials.length, "trial")}`,
  failed: ({ trials, incomplete: [first] }) => {
    const failed = describeFailures(trials);
    return failed === undefined || first === undefined ? failed : `${failed}; also incomplete: ${first.message}`;
  },
  incomplete: ({ incomplete: [first] }) => first && `no verdict on the client: ${first.message}`,
  passed: ({ trials }) => describePassed(trials),
};

/**
 * Decides outcome, exit code and summary of trials, with the reasons of every run. A client that took part in no trial does not pass. Nor
 * does a client that sent no request in a trial without exit status 77.
 */
export const concludeClient = (facts: ClientFacts): ClientConclusion => {
  const { interrupted, trials } = facts;
  const verdicts = toRuleVerdicts(trials);
  const reasons = [...listAbsenceReasons(facts), ...listBailReasons(facts)];
  const incomplete = listIncompleteReasons({ verdicts, incomplete: reasons, ...defined({ interrupted }) });
  const { outcome, exitCode, summary } = conclude(clientEndings, { ...facts, incomplete }, interrupted);
  return { outcome, exitCode, incomplete, counts: countOutcomes(verdicts), summary };
};
