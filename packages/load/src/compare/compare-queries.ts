import type { QueryComparison } from "@assay/results";
import { benjaminiHochberg } from "../statistics/corrections.ts";
import { median } from "../statistics/quantile.ts";
import { hodgesLehmann, signedRankPValue } from "../statistics/signed-rank.ts";
import type { BlockLatencies, PairedBlocks } from "./paired-blocks.ts";

/** Fewer pairs than this cannot reach a small p-value whatever they show. */
const fewestPairsOfQuery = 6;
const falseDiscoveryRate = 0.05;

const logMedian = ({ byQuery }: BlockLatencies, query: number): number =>
  Math.log(median(byQuery[query] ?? new Float64Array()));

/**
 * How each query moved, least likely by chance first. Exploratory: by Benjamini and Hochberg at 5 %, without a margin, and no
 * part of any verdict. Queries that both arms answered in fewer than 6 pairs are left out.
 */
export const compareQueries = ({ queries, pairs }: PairedBlocks): readonly QueryComparison[] => {
  const rows = queries
    .map((query, index) => ({
      query,
      differences: pairs
        .map(({ base, head }) => logMedian(head, index) - logMedian(base, index))
        .filter(Number.isFinite),
    }))
    .filter(({ differences }) => differences.length >= fewestPairsOfQuery)
    .map(({ query, differences }) => ({
      query,
      change: Math.expm1(hodgesLehmann(differences, 0.95).estimate),
      pValue: signedRankPValue(differences),
    }));
  const found = benjaminiHochberg(
    rows.map(({ pValue }) => pValue),
    falseDiscoveryRate,
  );
  return rows
    .map((row, index) => ({ ...row, worthALook: found[index] === true }))
    .toSorted((one, other) => one.pValue - other.pValue || Math.abs(other.change) - Math.abs(one.change));
};
