import { shareAtMost } from "../../compare/testing/binomial-bounds.ts";
import { percentileMinimum } from "@assay/results";
import { hindrances, type SimulatedThreshold } from "./simulate-threshold.ts";

const boundConfidence = 0.99;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const callsText = (hits: number, trials: number): string => percent(hits / trials);

const rowsOf = ({ percentile, samples, trials, calls }: SimulatedThreshold): readonly (readonly string[])[] => [
  [
    percentile,
    String(samples),
    ...calls.map(({ missed, kept }) => `${callsText(missed, trials)} / ${callsText(kept, trials)}`),
  ],
];

const sectionOf = (hindrance: keyof typeof hindrances, all: readonly SimulatedThreshold[]): string => {
  const simulated = all.filter((one) => one.hindrance === hindrance);
  const ratios = simulated[0]?.calls.map(({ ratio }) => ratio) ?? [];
  const head = ["percentile", "samples", ...ratios.map((ratio) => `${ratio.toFixed(2)} of the limit`)];
  const sentence = hindrances[hindrance];
  return `## ${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}\n\n${table(head, simulated.flatMap(rowsOf))}\n`;
};

/** Everything simulated as one page of Markdown. */
export const renderThresholdSimulation = (all: readonly SimulatedThreshold[]): string => {
  const trials = all[0]?.trials ?? 0;
  const minimum = Object.entries(percentileMinimum).map(([name, count]) => `${count} for ${name}`);
  return `# How often a threshold is called right

Written by the simulation of \`packages/load\`; no clock and no network take part, and the same seeds give the same page. Each cell
is ${trials} runs against a limit of which the true quantile is the share above: called _missed_ / called _kept_; the others are
undecided, and a run says so. Up to 1.00 of the limit a _missed_ is a false alarm; beyond it, it is the power, and a _kept_ is what
chance hides. Latencies are lognormal (standard deviation 0.45 of the logarithm) with 3 % of requests 4 times slower. No alarm in
${trials} runs bounds the share of alarms by ${percent(shareAtMost(0, trials, boundConfidence))}, with ${percent(boundConfidence)} confidence.

A percentile is missed where more samples lie beyond the limit than chance would put there in one of a hundred runs of a target that
just keeps it. It is kept where it lies within the limit and has enough samples (${minimum.join(", ")}), or where fewer leave no doubt.

${Object.keys(hindrances)
  .flatMap((name) => all.filter(({ hindrance }) => hindrance === name).slice(0, 1))
  .map(({ hindrance }) => sectionOf(hindrance, all))
  .join("\n")}`;
};
