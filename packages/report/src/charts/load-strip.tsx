import { shownText } from "../document/shown-text.ts";
import type { LoadResult } from "@assay/results";
import type { JSX } from "preact";
import { toneOf, type Tone } from "../page/outcome-tone.ts";
import { instantText } from "../page/instant-text.ts";
import { Name, Prose } from "../page/prose.tsx";
import { arrivalSentence, hasDecidedNothing, loadWords, targetSentence } from "../document/load-sections.ts";

const Incomplete = ({ load }: { readonly load: LoadResult }): JSX.Element | null =>
  load.incomplete.length === 0 ? null : (
    <div class="notice t-unknown">
      <p>
        <b>Why the run is incomplete</b>
      </p>
      <ul>
        {load.incomplete.map(({ code, message }) => (
          <li>
            <Name text={code} /> <Prose text={message} />
          </li>
        ))}
      </ul>
    </div>
  );

export interface LoadStripProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  /** What the run is called on the page, where no other strip has that name. */
  readonly name: string;
  readonly load: LoadResult;
}

const strongestTone = (load: LoadResult): Tone => {
  if (hasDecidedNothing(load)) {
    return "unknown";
  }
  return load.outcome === "passed" && load.warnings !== undefined ? "warn" : toneOf(load.outcome);
};

/** What a reader learns in ten seconds: the outcome, one sentence, whether the figures count, what was loaded and how. */
export const LoadStrip = ({ id, name, load }: LoadStripProps): JSX.Element => {
  const { sign, word } = loadWords(load);
  const { valid, checks } = load.trust;
  const met = checks.filter(({ ok }) => ok === true).length;
  return (
    <section class={`strip t-${strongestTone(load)}`} id={id} aria-labelledby={`${id}-h`}>
      <div class="head">
        <h2 id={`${id}-h`}>
          <i aria-hidden="true">{sign}</i>
          {`${name}: ${word}`}
        </h2>
        <span class="exit">exit code {load.exitCode}</span>
      </div>
      <p class="summary">
        <Prose text={load.summary} />
      </p>
      <p>
        <strong>
          {valid
            ? `✓ The figures can be trusted: ${met} of ${checks.length} conditions were checked and passed.`
            : "✗ INVALID: the figures cannot be trusted and are not to be used."}
        </strong>
        {load.complete ? "" : " The run ended early: only what was recorded until then is shown."}
      </p>
      <Incomplete load={load} />
      <dl class="facts">
        <div class="wide">
          <dt>Target</dt>
          <dd>
            <code>{shownText(targetSentence(load), "command")}</code>
          </dd>
        </div>
        <div class="wide">
          <dt>Load</dt>
          <dd>{shownText(arrivalSentence(load.plan))}</dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>{instantText(load.run.startedAt)}</dd>
        </div>
        <div>
          <dt>Run</dt>
          <dd>
            <Name text={load.run.id} />
          </dd>
        </div>
      </dl>
    </section>
  );
};
