import { defined } from "@assay/contract";
import { concludeRun } from "../conclude-run.ts";
import type { InterruptSignal } from "../exit-codes.ts";
import type { RunOutcome } from "../outcome.ts";
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

/** How a run of trials ended; only `concludeClient` creates it. */
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

const namedTrials = 3;

const listed = (names: readonly string[]): string => {
  const more = names.length - namedTrials;
  return [...names.slice(0, namedTrials), ...(more > 0 ? [`${more} more`] : [])].join(", ");
};

const missingRequestAdvice =
  "it has to ask the server that SRC_ENDPOINT names, or to exit with 77 to leave a trial out";

const onlySearchedAdvice =
  "where that is all it can do, try it with --interface stream, or have it exit with 77 where ASSAY_TASK is not search";

const absenceReasons = ({ trials, wanted }: ClientFacts): readonly IncompleteReason[] => {
  const absent = trials.filter(({ participation }) => participation === "no-request");
  const withoutRequest = absent.filter(({ requests }) => requests === 0).map(trialLabel);
  const onlySearched = absent.filter(({ requests }) => requests > 0).map(trialLabel);
  const left = trials
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
            message: `the client sent no request in ${counted(withoutRequest.length, "trial")} (${listed(withoutRequest)}); ${missingRequestAdvice}`,
          } as const,
        ]),
    ...(onlySearched.length === 0
      ? []
      : [
          {
            code: "nothing-observed",
            message: `the client only searched in ${counted(onlySearched.length, "trial")} whose task was to ask (${listed(onlySearched)}); ${onlySearchedAdvice}`,
          } as const,
        ]),
    ...(left.length === 0
      ? []
      : [
          {
            code: "must-test",
            message: `the client left out ${listed(left)}, although asked for by name`,
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
          message: `--bail left out ${counted(bailed, "trial")} after ${listed(outcomesOf(trials, "failed"))} failed`,
        },
      ];

const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;

const outcomesOf = (trials: readonly ClientTrial[], wanted: string): readonly string[] => [
  ...new Set(
    trials.flatMap(({ checks }) =>
      checks.filter(({ verdict }) => verdict.outcome === wanted).map(({ check }) => check),
    ),
  ),
];

const took = (trials: readonly ClientTrial[]): number =>
  trials.filter(({ participation }) => participation === "took-part").length;

const broken = (trials: readonly ClientTrial[]): string => {
  const count = trials.filter(({ checks }) => checks.some(({ verdict }) => verdict.outcome === "failed")).length;
  const tried = trials.filter(({ participation }) => participation !== "skipped").length;
  return `the client failed ${count} of ${counted(tried, "trial")}: ${listed(outcomesOf(trials, "failed"))}`;
};

const rest = (trials: readonly ClientTrial[]): string => {
  const warned = outcomesOf(trials, "warned");
  const left = trials.length - took(trials);
  return [
    ...(warned.length === 0 ? [] : [`, with warnings of ${listed(warned)}`]),
    ...(left === 0 ? [] : [`; it left out ${counted(left, "trial")}`]),
  ].join("");
};

type Ended = Pick<ClientConclusion, "incomplete" | "outcome" | "summary">;

const failure = ({ trials }: ClientFacts, { incomplete: [first] }: Ended): string =>
  first === undefined ? broken(trials) : `${broken(trials)}; also incomplete: ${first.message}`;

const undecided = ({ incomplete: [first] }: Ended): string =>
  `no verdict on the client: ${first?.message ?? "no reason was recorded"}`;

/** Sentences for the outcomes that trials can have. */
const sentences: Partial<Readonly<Record<RunOutcome, (facts: ClientFacts, ended: Ended) => string>>> = {
  passed: ({ trials }) => `the client passed ${counted(took(trials), "trial")}${rest(trials)}`,
  failed: failure,
  incomplete: (_facts, ended) => undecided(ended),
  interrupted: ({ interrupted = "a signal", trials }) =>
    `interrupted by ${interrupted} after ${counted(trials.length, "trial")}`,
};

const summaryOf = (facts: ClientFacts, ended: Ended): string =>
  sentences[ended.outcome]?.(facts, ended) ?? ended.summary;

/**
 * Decides outcome, exit code and summary of trials, by the rules of every run. A client that took part in no trial does not pass. Nor does
 * a client that sent no request in a trial without exit status 77.
 */
export const concludeClient = (facts: ClientFacts): ClientConclusion => {
  const { interrupted, trials } = facts;
  const { counts, exitCode, incomplete, outcome, summary } = concludeRun({
    verdicts: asRules(trials),
    incomplete: [...absenceReasons(facts), ...bail(facts)],
    strict: false,
    ...defined({ interrupted }),
  });
  return { outcome, exitCode, incomplete, counts, summary: summaryOf(facts, { incomplete, outcome, summary }) };
};
