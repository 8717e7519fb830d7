import type { QuestionPoll } from "@assay/results";

const isChange = (polls: readonly QuestionPoll[], index: number): boolean =>
  polls[index - 1]?.state !== polls[index]?.state || polls[index + 1]?.state !== polls[index]?.state;

/** So many of the indices, the first and the last among them, at even distances. */
const evenly = (indices: readonly number[], most: number): readonly number[] =>
  indices.length <= most
    ? indices
    : Array.from(
        { length: most },
        (_, index) => indices[Math.round((index * (indices.length - 1)) / Math.max(1, most - 1))] ?? 0,
      );

/** At most so many polls, in their order: those at which the state changed first of all, then others at even distances. */
export function keptPolls(polls: readonly QuestionPoll[], most: number): readonly QuestionPoll[] {
  if (polls.length <= most) {
    return polls;
  }
  const indices = [...polls.keys()];
  const changes = evenly(
    indices.filter((index) => isChange(polls, index)),
    most,
  );
  const others = evenly(
    indices.filter((index) => !isChange(polls, index)),
    most - changes.length,
  );
  const kept = new Set([...changes, ...others]);
  return polls.filter((_, index) => kept.has(index));
}
