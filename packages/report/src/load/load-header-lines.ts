import type { LoadPlan, LoadResult } from "@assay/results";
import { counted } from "../counted.ts";
import type { Page } from "../page.ts";
import { shownText } from "../shown-text.ts";
import { wrapText } from "../wrap-text.ts";
import { plainNumber, stretchText } from "./shown-number.ts";

const name = (text: string): string => shownText(text, "name");

const warmUpOf = ({ blocks, warmupMs }: LoadPlan): string => {
  if (blocks !== undefined) {
    return `${counted(blocks.warmupPairs, "pair")} of warm-up`;
  }
  return warmupMs > 0 ? `${stretchText(warmupMs)} of warm-up` : "no warm-up";
};

/** What was sent and how fast, one clause. */
export const arrivalSentence = (plan: LoadPlan): string => {
  const { scenario, shape, ratePerSecond, durationMs, blocks } = plan;
  const arrivals = `${name(scenario)} · ${shape}, ${plainNumber(ratePerSecond)}/s`;
  const length =
    blocks === undefined
      ? `for ${stretchText(durationMs)}`
      : `in ${counted(blocks.pairs, "pair")} of blocks of ${counted(blocks.requestsPerBlock, "request")}`;
  return `${arrivals} ${length} after ${warmUpOf(plan)}`;
};

/** Where the load went, one clause. */
export const targetSentence = ({ run }: LoadResult): string => {
  const target = `${shownText(run.target, "url")}${run.embedded ? " (embedded reference server)" : ""}`;
  return run.against === undefined ? target : `${target} against ${shownText(run.against, "url")}`;
};

/** How the run was made, clauses. */
export const runDetails = ({ run }: LoadResult): readonly string[] => [
  `limits ${name(run.limits)}`,
  ...(run.preset === undefined ? [] : [`preset ${name(run.preset)}`]),
  ...(run.processes === 1 ? [] : [`${run.processes} processes`]),
  `seed ${run.seed}`,
  `run ${name(run.id)}`,
];

/** What was loaded and how: tool, target, scenario, arrivals, run. */
export const loadHeaderLines = (result: LoadResult, { columns, paint }: Page): readonly string[] => [
  ...wrapText(`assay ${name(result.tool.version)} · ${targetSentence(result)}`, columns).map(paint.bold),
  ...wrapText(arrivalSentence(result.plan), columns).map(paint.dim),
  ...wrapText(runDetails(result).join(" · "), columns).map(paint.dim),
];
