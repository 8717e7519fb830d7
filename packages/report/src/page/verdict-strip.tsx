import { ruleStanding } from "@assay/results";
import type { RunResult, RuleStanding } from "@assay/results";
import { httpWords, seenSentence } from "../printers/header-lines.ts";
import { outcomeWords, verdictWords } from "../document/outcome-words.ts";
import { shownText } from "../document/shown-text.ts";
import { ChangeBlock } from "./change-block.tsx";
import { findingId, findingsOf } from "./failure-plan.ts";
import type { FailurePlan } from "./failure-plan.ts";
import { instantText } from "./instant-text.ts";
import { toneOf } from "./outcome-tone.ts";
import type { PageRun } from "./page-runs.ts";
import { Name, Prose, More } from "./prose.tsx";
import { groupedNumber } from "./grouped-number.ts";
import { pageSigns } from "./standing-badge.tsx";
import { placeOf } from "../document/run-sections.ts";
import { ExcerptBlock } from "./excerpt-block.tsx";
import type { ComponentChildren } from "preact";
import { pageCaps } from "./page-caps.ts";

interface NoticeProps {
  readonly tone: "bad" | "unknown";
  readonly title: string;
  readonly items: readonly ComponentChildren[];
}

const Notice = ({ tone, title, items }: NoticeProps) =>
  items.length === 0 ? null : (
    <div class={`notice t-${tone}`}>
      <p>
        <b>{title}</b>
      </p>
      <ul>
        {items.slice(0, pageCaps.items).map((item) => (
          <li>{item}</li>
        ))}
      </ul>
      <More count={items.length - pageCaps.items} noun="of them" plural="of them" />
    </div>
  );

/** What must not be overlooked: why the run is incomplete, what could not be asked of the target, mistakes in the lists of known failures. */
const Notices = ({ result }: { readonly result: RunResult }) => {
  const failed = result.exchanges.filter(({ failure }) => failure !== undefined);
  return (
    <>
      <Notice
        tone="unknown"
        title="Why the run is incomplete"
        items={result.incomplete.map(({ code, message }) => (
          <>
            <Name text={code} /> <Prose text={message} />
          </>
        ))}
      />
      <Notice
        tone="bad"
        title="Mistakes in the known failures"
        items={(result.knownFailureMistakes ?? []).map((mistake) => (
          <Prose text={mistake} />
        ))}
      />
      <Notice
        tone="unknown"
        title="Exchanges that failed"
        items={failed.map(({ id, probe, failure }) => (
          <>
            <Name text={id} /> <Name text={probe} />: <Prose text={failure ?? ""} />
          </>
        ))}
      />
    </>
  );
};

/** The most severe failure right below the verdict: the rule, what was seen and where, its bytes, and the way to all about it. */
const FirstFailure = ({ plan }: { readonly plan: FailurePlan }) => {
  const placed = plan.full[0]?.placed;
  const finding = placed === undefined ? undefined : findingsOf(placed)[0];
  if (placed === undefined || finding === undefined || ruleStanding(placed.rule) !== "failed") {
    return null;
  }
  const place = shownText(placeOf(finding));
  return (
    <div class="first">
      <p>
        <b>{plan.full.length + plan.listed.length + plan.more > 1 ? "First failure: " : "Failure: "}</b>
        <Name text={placed.rule.rule} />
        <span class="title">
          <Prose text={placed.rule.title} />
        </span>
      </p>
      <p class="message">
        Seen: <Prose text={finding.message} />
        {place === "" ? null : <span class="place">{place}</span>}
      </p>
      {finding.excerpt === undefined ? null : <ExcerptBlock excerpt={finding.excerpt} />}
      <p class="more">
        <a href={`#${findingId(placed, 0)}`}>The requirement, the exchange, and the command that repeats it</a>
      </p>
    </div>
  );
};

/** What makes the run red first, then what holds. */
const counterOrder = [
  "failed",
  "unexpectedly-fixed",
  "warned",
  "known-failure",
  "passed",
  "not-observed",
  "could-not-run",
  "not-applicable",
] as const satisfies readonly RuleStanding[];

interface CountersProps {
  readonly run: PageRun;
  /** Id of the table of all rules. */
  readonly rules: string;
}

const isBad = (standing: RuleStanding): boolean =>
  standing === "failed" || standing === "unexpectedly-fixed" || standing === "warned" || standing === "known-failure";

const Label = ({ standing }: { readonly standing: RuleStanding }) => (
  <span>
    <i aria-hidden="true">{pageSigns[standing]}</i> {verdictWords[standing].word}
  </span>
);

/** Links even without the script, which makes filters of them. What does not occur is said small, so that the rest stands out. */
const Counters = ({ run: { key, result }, rules }: CountersProps) => {
  const linkOf = (standing: RuleStanding) => ({
    href: isBad(standing) && result.counts[standing] > 0 ? `#${key}-failures` : `#${rules}`,
    "data-q": `s:${standing}`,
  });
  const some = counterOrder.filter((standing) => result.counts[standing] > 0);
  const none = counterOrder.filter((standing) => result.counts[standing] === 0);
  return (
    <>
      <ul class="counters" aria-label="Rules by what they come to">
        {some.map((standing) => (
          <li>
            <a class={`counter s-${standing}`} {...linkOf(standing)}>
              <b>{groupedNumber(result.counts[standing])}</b>
              <Label standing={standing} />
            </a>
          </li>
        ))}
      </ul>
      {none.length === 0 ? null : (
        <p class="zeros">None: {none.map((standing) => verdictWords[standing].word).join(", ")}.</p>
      )}
    </>
  );
};

/** A word as a heading begins with it. */
export const capitalised = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

const interfacesOf = ({ verdicts }: RunResult): string =>
  [...new Set(verdicts.map((rule) => rule.interface))]
    .slice(0, 8)
    .map((name) => shownText(name, "name"))
    .join(", ");

const Facts = ({ result }: { readonly result: RunResult }) => {
  const { run, tool } = result;
  const interfaces = interfacesOf(result);
  return (
    <dl class="facts">
      <div class="wide">
        <dt>Target</dt>
        <dd>
          <code>{shownText(run.target, "url")}</code>
          {run.embedded ? " (embedded reference server)" : ""}
          {httpWords(run)}
        </dd>
      </div>
      <div>
        <dt>Profile</dt>
        <dd>
          <Name text={run.profile} />
          {run.strict ? " (strict)" : ""}
        </dd>
      </div>
      <div>
        <dt>Interfaces</dt>
        <dd>{interfaces === "" ? "none" : interfaces}</dd>
      </div>
      <div>
        <dt>Started</dt>
        <dd>{instantText(run.startedAt)}</dd>
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
        <dd>assay {shownText(tool.version, "name")}</dd>
      </div>
      <div class="wide">
        <dt>Seen</dt>
        <dd>{seenSentence(result.exchanges)}</dd>
      </div>
    </dl>
  );
};

interface StripBodyProps {
  readonly run: PageRun;
  readonly plan: FailurePlan;
  /** Id of the table of all rules. */
  readonly rules: string;
}

/** What changed, the counts, the first violation with its bytes, what must not be overlooked, and what was tested. */
const StripBody = ({ run, plan, rules }: StripBodyProps) => (
  <>
    {run.change === undefined ? null : <ChangeBlock change={run.change} />}
    <Counters run={run} rules={rules} />
    <FirstFailure plan={plan} />
    <Notices result={run.result} />
    <Facts result={run.result} />
  </>
);

interface VerdictStripProps {
  readonly run: PageRun;
  readonly plan: FailurePlan;
}

/** What a reader learns in ten seconds: the outcome, one sentence, what was tested, the counts, the first violation with its bytes, and what changed. */
export const VerdictStrip = ({ run, plan }: VerdictStripProps) => {
  const { sign, word } = outcomeWords[run.result.outcome];
  return (
    <section class={`strip t-${toneOf(run.result.outcome)}`} id={run.key} aria-labelledby={`${run.key}-h`}>
      <div class="head">
        <h2 id={`${run.key}-h`}>
          <i aria-hidden="true">{sign}</i>
          {capitalised(word)}
        </h2>
        <span class="exit">exit code {run.result.exitCode}</span>
      </div>
      <p class="summary">
        <Prose text={run.result.summary} kind="summary" />
      </p>
      <StripBody run={run} plan={plan} rules={`${run.key}-rules`} />
    </section>
  );
};

interface FoldedRunProps extends VerdictStripProps {
  readonly children: ComponentChildren;
}

/** One of several runs, folded: how it ended is in sight, all else of it opens. */
export const FoldedRun = ({ run, plan, children }: FoldedRunProps) => {
  const { sign, word } = outcomeWords[run.result.outcome];
  return (
    <details class={`strip run t-${toneOf(run.result.outcome)}`} id={run.key}>
      <summary>
        <h2>
          <i aria-hidden="true">{sign}</i>
          {shownText(run.name, "name")}: {word}
        </h2>
        <span class="exit">exit code {run.result.exitCode}</span>
        <span class="said">
          <Prose text={run.result.summary} kind="summary" />
        </span>
      </summary>
      <StripBody run={run} plan={plan} rules="all-rules" />
      {children}
    </details>
  );
};
