import type { RunResult, RuleStanding } from "@assay/results";
import { capitalize, formatGrouped } from "../../document/counted.ts";
import { formatDetectedAccess, formatHttp, describeReceived } from "../terminal/header-lines.ts";
import { outcomeWords, verdictWords } from "../../document/outcome-words.ts";
import { isEarlyFailure, listDiagnosticSteps } from "../../document/early-failure.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import {
  createFailedExchangesSection,
  createIncompleteSection,
  createMistakesSection,
} from "../../document/run-sections.ts";
import { ChangeBlock } from "./change-block.tsx";
import { formatInstant } from "../../document/instant-text.ts";
import { getOutcomeTone, type Tone } from "./outcome-tone.ts";
import type { PageRun } from "./page-runs.ts";
import { Command, Notice } from "./print-html.tsx";
import { Name, Prose } from "./prose.tsx";
import { pageSigns } from "./standing-badge.tsx";
import type { ComponentChildren } from "preact";
import { pageCaps } from "./page-caps.ts";

/** Shows the URL and error of an early failure, and what to try. */
const EarlyFailure = ({ result }: { readonly result: RunResult }) => (
  <>
    <dl class="facts early">
      <div class="wide">
        <dt>Address</dt>
        <dd>
          <code>{escapeForDisplay(result.run.target, "url")}</code>
        </dd>
      </div>
      <div>
        <dt>Error</dt>
        <dd>
          {result.incomplete.slice(0, pageCaps.items).map(({ code, message }) => (
            <p>
              <Name text={code} /> {result.summary.includes(message) ? null : <Prose text={message} />}
            </p>
          ))}
        </dd>
      </div>
    </dl>
    <div class="try">
      <h3>What to try</h3>
      <ol>
        {listDiagnosticSteps(result).map(({ text, command }) => (
          <li>
            {text}
            {command === undefined ? null : <Command command={command} />}
          </li>
        ))}
      </ol>
    </div>
  </>
);

/** Shows why the run is incomplete, errors in known-failure lists, and exchanges that failed. */
const Notices = ({ result }: { readonly result: RunResult }) => {
  const detail = { entries: pageCaps.items, restHint: "" };
  const failed = createFailedExchangesSection(result, pageCaps.items);
  return (
    <>
      <Notice
        section={{ ...createIncompleteSection(result.incomplete, pageCaps.items), title: "Why the run is incomplete" }}
      />
      <Notice section={{ ...createMistakesSection(result, detail), title: "Mistakes in the known failures" }} />
      <Notice section={{ ...failed, title: "Exchanges that failed" }} />
    </>
  );
};

/** Failures first, then passes. */
const counterOrder = [
  "failed",
  "fixed",
  "warned",
  "known-failure",
  "passed",
  "not-tested",
  "blocked",
  "not-applicable",
] as const satisfies readonly RuleStanding[];

interface CountersProps {
  readonly run: PageRun;
  /** Id of the table of all rules. */
  readonly ruleTableId: string;
}

const isProblem = (standing: RuleStanding): boolean =>
  standing === "failed" || standing === "fixed" || standing === "warned" || standing === "known-failure";

const StandingLabel = ({ standing }: { readonly standing: RuleStanding }) => (
  <span>
    <i aria-hidden="true">{pageSigns[standing]}</i> {verdictWords[standing].word}
  </span>
);

/** Shows counts with links. The script turns the links into filters. */
const Counters = ({ run: { key, result }, ruleTableId }: CountersProps) => {
  const counterLink = (standing: RuleStanding) => ({
    href: isProblem(standing) && result.counts[standing] > 0 ? `#${key}-failures` : `#${ruleTableId}`,
    "data-q": `s:${standing}`,
  });
  const nonZeroStandings = counterOrder.filter((standing) => result.counts[standing] > 0);
  return (
    <ul class="counters" aria-label="Rules by their verdict">
      {nonZeroStandings.map((standing) => (
        <li>
          <a class={`counter s-${standing}`} {...counterLink(standing)}>
            <b>{formatGrouped(result.counts[standing])}</b>
            <StandingLabel standing={standing} />
          </a>
        </li>
      ))}
    </ul>
  );
};

const formatInterfaces = ({ verdicts }: RunResult): string =>
  [...new Set(verdicts.map((rule) => rule.interface))]
    .slice(0, 8)
    .map((name) => escapeForDisplay(name, "name"))
    .join(", ");

const RunFacts = ({ result }: { readonly result: RunResult }) => {
  const { run, tool } = result;
  const interfaces = formatInterfaces(result);
  const access = formatDetectedAccess(run);
  return (
    <details class="about">
      <summary>About this run</summary>
      <dl class="facts">
        <div class="wide">
          <dt>Target</dt>
          <dd>
            <code>{escapeForDisplay(run.target, "url")}</code>
            {run.embedded ? " (embedded reference server)" : ""}
            {formatHttp(run)}
          </dd>
        </div>
        <div>
          <dt>Profile</dt>
          <dd>
            <Name text={run.profile} />
            {run.strict ? " (strict)" : ""}
          </dd>
        </div>
        {access === undefined ? null : (
          <div>
            <dt>Access</dt>
            <dd>{access}</dd>
          </div>
        )}
        <div>
          <dt>Interfaces</dt>
          <dd>{interfaces === "" ? "none" : interfaces}</dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>{formatInstant(run.startedAt)}</dd>
        </div>
        <div>
          <dt>Seed</dt>
          <dd>{run.seed}</dd>
        </div>
        <div>
          <dt>Run</dt>
          <dd>
            <Name text={run.id} />
          </dd>
        </div>
        <div>
          <dt>Tool</dt>
          <dd>assay {escapeForDisplay(tool.version, "name")}</dd>
        </div>
        <div class="wide">
          <dt>Seen</dt>
          <dd>{describeReceived(result.exchanges)}</dd>
        </div>
      </dl>
    </details>
  );
};

interface StripBodyProps {
  readonly run: PageRun;
  /** Id of the table of all rules. */
  readonly ruleTableId: string;
}

/** Shows changes, counts, notices, and facts about the run. */
const StripBody = ({ run, ruleTableId }: StripBodyProps) => (
  <>
    {run.change === undefined ? null : <ChangeBlock change={run.change} />}
    {isEarlyFailure(run.result) ? (
      <EarlyFailure result={run.result} />
    ) : (
      <>
        <Counters run={run} ruleTableId={ruleTableId} />
        <Notices result={run.result} />
      </>
    )}
    <RunFacts result={run.result} />
  </>
);

interface VerdictStripProps {
  readonly run: PageRun;
}

/** Shows the top of a run: outcome, summary, counts and changes. */
export const VerdictStrip = ({ run }: VerdictStripProps) => {
  const { sign, word } = outcomeWords[run.result.outcome];
  return (
    <section class={`strip t-${getOutcomeTone(run.result.outcome)}`} id={run.key} aria-labelledby={`${run.key}-h`}>
      <div class="head">
        <h2 id={`${run.key}-h`}>
          <i aria-hidden="true">{sign}</i>
          {capitalize(word)}
        </h2>
        <span class="exit">exit code {run.result.exitCode}</span>
      </div>
      <p class="summary">
        <Prose text={run.result.summary} kind="summary" />
      </p>
      <StripBody run={run} ruleTableId={`${run.key}-rules`} />
    </section>
  );
};

interface FoldedStripProps {
  readonly id: string;
  readonly tone: Tone;
  readonly sign: string;
  readonly title: string;
  readonly exitCode: number;
  /** One sentence, visible while the strip is folded. */
  readonly summary: string;
  readonly children: ComponentChildren;
}

/** Shows one of several runs or loads. Everything except its outcome is folded. */
export const FoldedStrip = ({ id, tone, sign, title, exitCode, summary, children }: FoldedStripProps) => (
  <details class={`strip run t-${tone}`} id={id}>
    <summary>
      <h2>
        <i aria-hidden="true">{sign}</i>
        {title}
      </h2>
      <span class="exit">exit code {exitCode}</span>
      <span class="said">
        <Prose text={summary} kind="summary" />
      </span>
    </summary>
    {children}
  </details>
);

interface FoldedRunProps extends VerdictStripProps {
  readonly children: ComponentChildren;
}

/** Shows one of several contract runs, folded. */
export const FoldedRun = ({ run, children }: FoldedRunProps) => {
  const { outcome, exitCode, summary } = run.result;
  const { sign, word } = outcomeWords[outcome];
  return (
    <FoldedStrip
      id={run.key}
      tone={getOutcomeTone(outcome)}
      sign={sign}
      title={`${escapeForDisplay(run.name, "name")}: ${word}`}
      exitCode={exitCode}
      summary={summary}
    >
      <StripBody run={run} ruleTableId="all-rules" />
      {children}
    </FoldedStrip>
  );
};
