import { armText } from "@assay/results";
import type { BrokenRule, LoadJudgement, LoadResult, LoadRuleOutcome, LoadThreshold } from "@assay/results";
import type { JSX } from "preact";
import { counted, sizeOf } from "../../document/counted.ts";
import { instantText } from "../../printers/html/instant-text.ts";
import { More, Prose } from "../../printers/html/prose.tsx";
import {
  dependenceWords,
  exchangeText,
  firstSeen,
  isBeside,
  judgementSign,
  rulesByReason,
  type RulesOfReason,
  ruleStatements,
  type RuleStatement,
} from "../../document/load-judgement-section.ts";
import { worthOf } from "../../document/load-headline.ts";
import {
  arrivalSentence,
  canarySentence,
  measuredText,
  runDetails,
  severityText,
} from "../../document/load-sections.ts";
import { conditionWords } from "../../document/load-words.ts";
import { plainNumber, stretchText } from "../../document/shown-number.ts";
import { outcomeWords, verdictWords } from "../../document/outcome-words.ts";
import { fixedInReport, knownInReport, mistakesInReport } from "../../document/load-known-sections.ts";
import { entryCare, entryPlace } from "../../document/run-sections.ts";
import { shownText } from "../../document/shown-text.ts";
import { DataTable } from "../data-table.tsx";

/** More items than this are not listed. */
const mostItems = 20;

/** In an invalid run a threshold counts only if it is missed whatever the generator did. */
const counts = (load: LoadResult, { stands }: LoadThreshold): boolean =>
  worthOf(load) !== "invalid" || (stands === true && load.outcome === "performance-failed");

const limitsCaption = (load: LoadResult): string => {
  if (worthOf(load) !== "invalid") {
    return "Each threshold with what was measured";
  }
  return load.thresholds.some((threshold) => counts(load, threshold))
    ? "In an invalid run a threshold counts only where a late generator does not explain that it failed"
    : "NOT TO BE USED: in an invalid run no threshold counts";
};

/** The thresholds of the run with the measured values. In an invalid run hardly any counts. */
export const ThresholdsPart = ({ load }: { readonly load: LoadResult }): JSX.Element => (
  <DataTable
    caption={limitsCaption(load)}
    head={["threshold", "result", "measured"]}
    rows={load.thresholds.map((threshold) => {
      const { sign, word } = conditionWords(threshold.ok);
      const value = measuredText(threshold);
      const severity = severityText(threshold);
      return [
        `${shownText(threshold.threshold, "name")}${severity === "" ? "" : ` (${severity})`}`,
        counts(load, threshold) ? `${sign} ${word}` : "? does not count",
        counts(load, threshold) ? value : <s>{value}</s>,
      ];
    })}
  />
);

/** The result of the canary. */
export const CanaryPart = ({ canary }: { readonly canary: NonNullable<LoadResult["canary"]> }): JSX.Element => {
  const { sign, word } = outcomeWords[canary.outcome];
  const more = canary.failed.length - mostItems;
  return (
    <>
      <p>
        <strong>{`${sign} ${word}:`}</strong> {canarySentence(canary)}. <Prose text={canary.summary} />
      </p>
      <ul>
        {canary.failed.slice(0, mostItems).map(({ rule, message }) => (
          <li>
            ✗ <code>{shownText(rule, "name")}</code>: <Prose text={message} />
          </li>
        ))}
        {more > 0 ? <li>{`and ${counted(more, "more rule")}`}</li> : null}
      </ul>
      <p>
        Judged again by <code>{`npx assay judge ${shownText(canary.folder, "url")}`}</code> in the folder of the run.
      </p>
    </>
  );
};

const brokenRow = (one: BrokenRule) => [
  `✗ ${shownText(one.rule, "name")}${armText(one)}, ${counted(one.violations, "time")}`,
  dependenceWords[one.dependence],
  <>
    <Prose text={one.message} />
    <div class="meta">{`${firstSeen(one)}: exchange ${shownText(exchangeText(one), "name")}`}</div>
  </>,
];

const Reason = ({ reason: { rules, reason } }: { readonly reason: RulesOfReason }): JSX.Element => (
  <li>
    {rules.map((rule, index) => (
      <>
        {index === 0 ? "" : ", "}
        <code>{shownText(rule, "name")}</code>
      </>
    ))}
    {reason === "" ? null : (
      <>
        : <Prose text={reason} />
      </>
    )}
  </li>
);

/** Outcomes with a reason. */
const hasReasons: ReadonlySet<LoadRuleOutcome> = new Set(["warned", "blocked", "not-tested"]);

/** Counts of some outcomes, with the rules and reasons folded. */
const Statement = ({ statement: { outcome, sign, line, rules } }: { readonly statement: RuleStatement }): JSX.Element =>
  hasReasons.has(outcome) ? (
    <li>
      <details>
        <summary>{`${sign} ${line}`}</summary>
        <ul>
          {rulesByReason(rules).map((reason) => (
            <Reason reason={reason} />
          ))}
        </ul>
      </details>
    </li>
  ) : (
    <li>{`${sign} ${line}`}</li>
  );

const Judged = ({ judgement, beside }: { readonly judgement: LoadJudgement; readonly beside: boolean }) => (
  <>
    <p>
      <strong>
        {judgementSign(judgement)} <Prose text={judgement.sentence} />
      </strong>
    </p>
    {judgement.problems.map((problem) => (
      <p>
        ~ <Prose text={problem} />
      </p>
    ))}
    {judgement.broken.length === 0 ? null : (
      <DataTable
        caption="Rules that failed on requests of the load"
        head={["rule", "without load", "what was seen"]}
        rows={judgement.broken.slice(0, mostItems).map(brokenRow)}
      />
    )}
    <More count={judgement.broken.length - mostItems} noun="rule" />
    <ul class="listed">
      {ruleStatements(judgement, beside)
        .filter(({ outcome }) => outcome !== "failed")
        .map((statement) => (
          <Statement statement={statement} />
        ))}
    </ul>
  </>
);

/** The judgement of the kept exchanges, and how many were judged. */
export const JudgementPart = ({ load }: { readonly load: LoadResult }): JSX.Element =>
  load.judgement === undefined ? (
    <p>
      ? <Prose text={load.unjudged ?? "They were not checked."} />
    </p>
  ) : (
    <Judged judgement={load.judgement} beside={isBeside(load)} />
  );

/** True if lists of known failures apply to a load. */
export const isAnythingKnown = (load: LoadResult): boolean =>
  [knownInReport(load), fixedInReport(load), mistakesInReport(load)].some(({ length }) => length > 0);

/** Known failures, fixed ones, and mistakes in the lists. */
export const KnownPart = ({ load }: { readonly load: LoadResult }): JSX.Element => (
  <ul class="listed">
    {mistakesInReport(load)
      .slice(0, mostItems)
      .map((mistake) => (
        <li>
          {verdictWords.failed.sign} <Prose text={mistake} />
        </li>
      ))}
    {fixedInReport(load).map(({ name, sentence }) => (
      <li>
        {verdictWords["fixed"].sign} <code>{shownText(name, "name")}</code>: <Prose text={sentence} />
      </li>
    ))}
    {knownInReport(load).map(({ name, known, seen }) => (
      <li>
        {verdictWords["known-failure"].sign} <code>{shownText(name, "name")}</code>: <Prose text={known.reason} />
        <div class="meta">
          {`${shownText(entryPlace(known), "url")}; ${shownText(entryCare(known), "name")}; `}
          <Prose text={seen} />
        </div>
      </li>
    ))}
  </ul>
);

/** Conversations that the run created, and whether they were removed. */
export const CleanUpPart = ({ cleanUp }: { readonly cleanUp: NonNullable<LoadResult["cleanUp"]> }): JSX.Element => {
  const { created, removed, left } = cleanUp;
  const more = left.length - mostItems;
  return (
    <>
      <p>
        {left.length === 0 ? "✓" : "~"} {counted(created, "conversation")} created, {removed} removed, {left.length}{" "}
        left.
      </p>
      <ul>
        {left.slice(0, mostItems).map((one) => (
          <li>
            <code>{shownText(one)}</code>
          </li>
        ))}
        {more > 0 ? <li>{`and ${more} more`}</li> : null}
      </ul>
    </>
  );
};

const queriesOf = ({ queries, conversation }: LoadResult["plan"]): string => {
  const names = [...queries, ...(conversation?.questions ?? [])].map(({ name }) => shownText(name, "name"));
  const more = names.length - mostItems;
  return `${names.slice(0, mostItems).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

/** The plan in words, the machine, and the run itself. */
export const PlanPart = ({ load }: { readonly load: LoadResult }): JSX.Element => {
  const { plan, environment, run } = load;
  return (
    <DataTable
      caption="What was planned, and on which machine the load was made"
      head={["fact", "value"]}
      rows={[
        ["load", shownText(arrivalSentence(plan))],
        ["arrivals", "evenly spaced, sent whether earlier ones have ended or not"],
        ...(plan.shape === "steady" || plan.shape === "soak"
          ? []
          : [["rate", `moves up to ${plainNumber(plan.ratePerSecond)}/s`]]),
        ["queries", queriesOf(plan)],
        ["deadline of a request", stretchText(plan.timeoutMs)],
        ["started", instantText(run.startedAt)],
        ["run", shownText(runDetails(load).join(" · "))],
        [
          "machine",
          `${environment.cores} × ${shownText(environment.cpuModel, "name")}, ${sizeOf(environment.memoryBytes)}, ${shownText(environment.platform, "name")} ${shownText(environment.architecture, "name")}`,
        ],
        [
          "versions",
          `assay ${shownText(load.tool.version, "name")}, k6 ${shownText(environment.k6Version, "name")}, Node ${shownText(environment.nodeVersion, "name")}`,
        ],
        ["fingerprint of the machine", shownText(environment.fingerprint.slice(0, 12), "name")],
        ["digest of the scenario", shownText(run.scenarioSha256.slice(0, 12), "name")],
      ]}
    />
  );
};
