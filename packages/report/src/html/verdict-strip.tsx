import type { RunResult } from "@assay/results";
import { seenSentence } from "../header-lines.ts";
import { outcomeWords } from "../outcome-words.ts";
import { shownText } from "../shown-text.ts";
import { ChangeBlock } from "./change-block.tsx";
import { Counters } from "./counters.tsx";
import type { FailurePlan } from "./failure-plan.ts";
import { FirstFailure } from "./first-failure.tsx";
import { instantText } from "./instant-text.ts";
import { Notices } from "./notices.tsx";
import { toneOf } from "./outcome-tone.ts";
import type { PageRun } from "./page-runs.ts";
import { Name, Prose } from "./prose.tsx";

const capitalised = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

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

interface VerdictStripProps {
  readonly run: PageRun;
  readonly plan: FailurePlan;
  /** Whether the page shows no other run. */
  readonly isOnly: boolean;
}

/** What a reader learns in ten seconds: the outcome, one sentence, what was tested, the counts, the first violation with its bytes, and what changed. */
export const VerdictStrip = ({ run, plan, isOnly }: VerdictStripProps) => {
  const { result, change } = run;
  const { sign, word } = outcomeWords[result.outcome];
  return (
    <section class={`strip t-${toneOf(result.outcome)}`} id={run.key} aria-labelledby={`${run.key}-h`}>
      <div class="head">
        <h2 id={`${run.key}-h`}>
          <i aria-hidden="true">{sign}</i>
          {isOnly ? capitalised(word) : `${run.key.replace("r", "Run ")}: ${word}`}
        </h2>
        <span class="exit">exit code {result.exitCode}</span>
      </div>
      <p class="summary">
        <Prose text={result.summary} />
      </p>
      {change === undefined ? null : <ChangeBlock change={change} />}
      <Counters run={run} rules={isOnly ? `${run.key}-rules` : "all-rules"} />
      <FirstFailure plan={plan} />
      <Notices result={result} />
      <Facts result={result} />
    </section>
  );
};
