import type { QuestionPoll } from "@assay/results";

const isChange = (polls: readonly QuestionPoll[], index: number): boolean =>
  polls[index - 1]?.state !== polls[index]?.state || polls[index + 1]?.state !== polls[index]?.state;

/** Selects at most `max` evenly spaced indices, including the first and the last. */
const pickEvenly = (indices: readonly number[], max: number): readonly number[] =>
  indices.length <= max
    ? indices
    : Array.from(
        { length: max },
        (_, index) => indices[Math.round((index * (indices.length - 1)) / Math.max(1, max - 1))] ?? 0,
      );

/** Selects at most `max` polls and preserves their order. Prefers polls next to a state change. The others are evenly spaced. */
export function selectPolls(polls: readonly QuestionPoll[], max: number): readonly QuestionPoll[] {
  if (polls.length <= max) {
    return polls;
  }
  const indices = [...polls.keys()];
  const changeIndices = pickEvenly(
    indices.filter((index) => isChange(polls, index)),
    max,
  );
  const otherIndices = pickEvenly(
    indices.filter((index) => !isChange(polls, index)),
    max - changeIndices.length,
  );
  const selectedIndices = new Set([...changeIndices, ...otherIndices]);
  return polls.filter((_, index) => selectedIndices.has(index));
}
