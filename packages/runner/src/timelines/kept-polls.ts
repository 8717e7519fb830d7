import type { QuestionPoll } from "@assay/results";

const isChange = (polls: readonly QuestionPoll[], index: number): boolean =>
  polls[index - 1]?.state !== polls[index]?.state || polls[index + 1]?.state !== polls[index]?.state;

/** At most `max` of the indices, evenly spaced, with the first and the last one. */
const evenly = (indices: readonly number[], max: number): readonly number[] =>
  indices.length <= max
    ? indices
    : Array.from(
        { length: max },
        (_, index) => indices[Math.round((index * (indices.length - 1)) / Math.max(1, max - 1))] ?? 0,
      );

/** At most `max` polls, in order: first those next to a change of state, then others, evenly spaced. */
export function keptPolls(polls: readonly QuestionPoll[], max: number): readonly QuestionPoll[] {
  if (polls.length <= max) {
    return polls;
  }
  const indices = [...polls.keys()];
  const changes = evenly(
    indices.filter((index) => isChange(polls, index)),
    max,
  );
  const others = evenly(
    indices.filter((index) => !isChange(polls, index)),
    max - changes.length,
  );
  const kept = new Set([...changes, ...others]);
  return polls.filter((_, index) => kept.has(index));
}
