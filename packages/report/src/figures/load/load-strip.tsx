import {
  arrivalSentence,
  hasDecidedNothing,
  isUnsent,
  loadWords,
  targetSentence,
  worthOf,
  worthWords,
} from "../../document/load-facts.ts";
import { groupedNumber } from "../../document/counted.ts";
import { shownText } from "../../document/shown-text.ts";
import type { LoadResult } from "@assay/results";
import type { ComponentChildren, JSX } from "preact";
import { toneOf, type Tone } from "../../printers/html/outcome-tone.ts";
import { instantText } from "../../document/instant-text.ts";
import { ComparisonHeading } from "./comparison-figure.tsx";
import { incompleteSection } from "../../document/run-sections.ts";
import { Notice } from "../../printers/html/print-html.tsx";
import { Name, Prose } from "../../printers/html/prose.tsx";
import { FoldedStrip } from "../../printers/html/verdict-strip.tsx";
import { headlineFigure, headlineMetric, hasComparisonHeadline, requestCounts } from "../../document/load-headline.ts";

export interface LoadStripProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  /** Name of the run on the page, if no other strip has that name. */
  readonly name: string;
  readonly load: LoadResult;
}

const strongestTone = (load: LoadResult): Tone => {
  if (hasDecidedNothing(load)) {
    return "unknown";
  }
  return load.outcome === "passed" && load.warnings !== undefined ? "warn" : toneOf(load.outcome);
};

interface TileProps {
  readonly label: string;
  readonly value: string;
  /** Shown below the value. */
  readonly note?: string;
  readonly tone: "passed" | "failed" | "blocked" | "not-applicable";
}

const Tile = ({ label, value, note = "", tone }: TileProps): JSX.Element => (
  <li>
    <div class={`counter s-${tone}`}>
      <b>{value}</b>
      <span>
        {label} {note}
      </span>
    </div>
  </li>
);

const worthTones = { ok: "passed", undecided: "blocked", invalid: "failed" } as const;

/** The speed of a load in tiles: the main percentiles, the number of requests, and whether the generator kept up. */
const Tiles = ({ load }: { readonly load: LoadResult }): JSX.Element => {
  const found = headlineMetric(load);
  const { all, failed } = requestCounts(load);
  const worth = worthOf(load);
  const { sign, words } = worthWords[worth];
  return (
    <ul class="counters speed" aria-label="Speed, requests and generator">
      {found === undefined
        ? null
        : (["p50", "p95"] as const).map((name) => {
            const { value, interval } = headlineFigure(found.metric, name);
            return <Tile label={`${found.name} ${name}`} value={value} note={interval} tone="not-applicable" />;
          })}
      <Tile label="requests measured" value={groupedNumber(all)} tone="not-applicable" />
      <Tile label="failed" value={groupedNumber(failed)} tone={failed > 0 ? "failed" : "passed"} />
      <Tile label={words} value={sign} tone={worthTones[worth]} />
    </ul>
  );
};

/** The main result of a load: its comparison, or else its speed. */
const Figures = ({ load }: { readonly load: LoadResult }): JSX.Element | null => {
  if (isUnsent(load)) {
    return null;
  }
  return hasComparisonHeadline(load) ? <ComparisonHeading comparison={load.comparison} /> : <Tiles load={load} />;
};

/** Notices of a load: why it is incomplete, and what was loaded and how. */
const StripBody = ({ load }: { readonly load: LoadResult }): JSX.Element => (
  <>
    {worthOf(load) === "invalid" ? (
      <p>
        <strong>INVALID: conditions of the load failed; do not use the figures.</strong>
      </p>
    ) : null}
    {load.complete ? null : <p>The run ended early: only what was recorded until then is shown.</p>}
    <Notice section={{ ...incompleteSection(load.incomplete), title: "Why the run is incomplete" }} />
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
  </>
);

/** The head of a load: the outcome, one sentence, whether the figures count, what was loaded and how. */
export const LoadStrip = ({ id, name, load }: LoadStripProps): JSX.Element => {
  const { sign, word } = loadWords(load);
  return (
    <section class={`strip t-${strongestTone(load)}`} id={id} aria-labelledby={`${id}-h`}>
      <div class="head">
        <h2 id={`${id}-h`}>
          <i aria-hidden="true">{sign}</i>
          {`${name}: ${word}`}
        </h2>
        <span class="exit">exit code {load.exitCode}</span>
      </div>
      <Figures load={load} />
      <p>
        <Prose text={load.summary} kind="summary" />
      </p>
      <StripBody load={load} />
    </section>
  );
};

interface FoldedLoadProps extends LoadStripProps {
  readonly children: ComponentChildren;
}

/** One of several loads, folded. */
export const FoldedLoad = ({ id, name, load, children }: FoldedLoadProps): JSX.Element => {
  const { sign, word } = loadWords(load);
  return (
    <FoldedStrip
      id={id}
      tone={strongestTone(load)}
      sign={sign}
      title={`${name}: ${word}`}
      exitCode={load.exitCode}
      summary={load.summary}
    >
      <Figures load={load} />
      <StripBody load={load} />
      {children}
    </FoldedStrip>
  );
};
