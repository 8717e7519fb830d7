import {
  describeArrival,
  hasInconclusiveComparison,
  isUnsent,
  getLoadWords,
  describeTarget,
  getLoadValidity,
  validityWords,
} from "../../document/load-facts.ts";
import { formatGrouped } from "../../document/counted.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import type { LoadResult } from "@assay/results";
import type { ComponentChildren, JSX } from "preact";
import { getOutcomeTone, type Tone } from "../../printers/html/outcome-tone.ts";
import { formatInstant } from "../../document/instant-text.ts";
import { ComparisonHeading } from "./comparison-figure.tsx";
import { createIncompleteSection } from "../../document/run-sections.ts";
import { Notice } from "../../printers/html/print-html.tsx";
import { Name, Prose } from "../../printers/html/prose.tsx";
import { FoldedStrip } from "../../printers/html/verdict-strip.tsx";
import {
  formatPercentile,
  findHeadlineMetric,
  hasComparisonHeadline,
  countRequests,
} from "../../document/load-headline.ts";

export interface LoadStripProps {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  /** Name of the run on the page, if no other strip has that name. */
  readonly name: string;
  readonly load: LoadResult;
}

const getLoadTone = (load: LoadResult): Tone => {
  if (hasInconclusiveComparison(load)) {
    return "unknown";
  }
  return load.outcome === "passed" && load.warnings !== undefined ? "warn" : getOutcomeTone(load.outcome);
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

const validityTones = { ok: "passed", undecided: "blocked", invalid: "failed" } as const;

/** Shows the speed of a load in tiles: the main percentiles, the number of requests, and whether the generator kept up. */
const SpeedTiles = ({ load }: { readonly load: LoadResult }): JSX.Element => {
  const headline = findHeadlineMetric(load);
  const { total, failed } = countRequests(load);
  const validity = getLoadValidity(load);
  const { sign, words } = validityWords[validity];
  return (
    <ul class="counters speed" aria-label="Speed, requests and generator">
      {headline === undefined
        ? null
        : (["p50", "p95"] as const).map((name) => {
            const { value, interval } = formatPercentile(headline.metric, name);
            return <Tile label={`${headline.name} ${name}`} value={value} note={interval} tone="not-applicable" />;
          })}
      <Tile label="requests measured" value={formatGrouped(total)} tone="not-applicable" />
      <Tile label="failed" value={formatGrouped(failed)} tone={failed > 0 ? "failed" : "passed"} />
      <Tile label={words} value={sign} tone={validityTones[validity]} />
    </ul>
  );
};

/** Shows the main result of a load: its comparison, or else its speed. */
const Headline = ({ load }: { readonly load: LoadResult }): JSX.Element | null => {
  if (isUnsent(load)) {
    return null;
  }
  return hasComparisonHeadline(load) ? <ComparisonHeading comparison={load.comparison} /> : <SpeedTiles load={load} />;
};

/** Shows why a load is incomplete, its target and its plan. */
const StripBody = ({ load }: { readonly load: LoadResult }): JSX.Element => (
  <>
    {getLoadValidity(load) === "invalid" ? (
      <p>
        <strong>INVALID: conditions of the load failed; do not use the figures.</strong>
      </p>
    ) : null}
    {load.complete ? null : <p>The run ended early: only what was recorded until then is shown.</p>}
    <Notice section={{ ...createIncompleteSection(load.incomplete), title: "Why the run is incomplete" }} />
    <dl class="facts">
      <div class="wide">
        <dt>Target</dt>
        <dd>
          <code>{escapeForDisplay(describeTarget(load), "command")}</code>
        </dd>
      </div>
      <div class="wide">
        <dt>Load</dt>
        <dd>{escapeForDisplay(describeArrival(load.plan))}</dd>
      </div>
      <div>
        <dt>Started</dt>
        <dd>{formatInstant(load.run.startedAt)}</dd>
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

/** Shows the outcome of a load, its summary, the validity of its figures, its target and its plan. */
export const LoadStrip = ({ id, name, load }: LoadStripProps): JSX.Element => {
  const { sign, word } = getLoadWords(load);
  return (
    <section class={`strip t-${getLoadTone(load)}`} id={id} aria-labelledby={`${id}-h`}>
      <div class="head">
        <h2 id={`${id}-h`}>
          <i aria-hidden="true">{sign}</i>
          {`${name}: ${word}`}
        </h2>
        <span class="exit">exit code {load.exitCode}</span>
      </div>
      <Headline load={load} />
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

/** Shows one of several loads, folded. */
export const FoldedLoad = ({ id, name, load, children }: FoldedLoadProps): JSX.Element => {
  const { sign, word } = getLoadWords(load);
  return (
    <FoldedStrip
      id={id}
      tone={getLoadTone(load)}
      sign={sign}
      title={`${name}: ${word}`}
      exitCode={load.exitCode}
      summary={load.summary}
    >
      <Headline load={load} />
      <StripBody load={load} />
      {children}
    </FoldedStrip>
  );
};
