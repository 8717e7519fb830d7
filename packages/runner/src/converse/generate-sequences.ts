import type { ConversationInterface } from "./dialect.ts";
import { asksQuestion, sequenceCommandNames, sequenceCommands } from "./sequence-commands.ts";
import type { SequenceCommandName } from "./sequence-commands.ts";

/** The interface of a command: the one that created the conversation, or the other one. */
type Side = "own" | "other";

export interface StepCommand {
  readonly command: SequenceCommandName;
  readonly side: Side;
}

/** Commands that are sent at the same time; mostly one. */
export type SequenceStep = readonly [StepCommand, ...StepCommand[]];

/** Commands on one conversation, after its creation. */
export interface Sequence {
  readonly createdIn: ConversationInterface;
  readonly steps: readonly SequenceStep[];
  /** Number of questions, with that of the creation. */
  readonly questions: number;
  /** The ordered pairs of commands that it covers. */
  readonly pairs: readonly string[];
}

const sides: readonly Side[] = ["own", "other"];

/** Every command through every interface. */
const allStepCommands: readonly StepCommand[] = sequenceCommandNames.flatMap((command) =>
  sides.map((side) => ({ command, side })),
);

const keyOf = ({ command, side }: StepCommand): string => `${command} ${side}`;

/** An ordered pair of commands on one conversation. */
const pairKey = (first: StepCommand, second: StepCommand, isAtOnce = false): string =>
  `${keyOf(first)} ${isAtOnce ? "with" : "then"} ${keyOf(second)}`;

const isOnlyForExisting = ({ command }: StepCommand): boolean => "only" in sequenceCommands[command];

const isWrite = ({ command }: StepCommand): boolean => ["follow-up", "cancel", "delete"].includes(command);

/** Reports whether the second command makes sense right after the first. */
const isPossible = (first: StepCommand, second: StepCommand): boolean =>
  first.command !== "delete" || !isOnlyForExisting(second);

/** Every pair that sequences can cover: one after the other, and two writes at once. */
export const sequencePairs: readonly string[] = [
  ...allStepCommands.flatMap((first) =>
    allStepCommands.filter((second) => isPossible(first, second)).map((second) => pairKey(first, second)),
  ),
  ...allStepCommands
    .filter((first) => isWrite(first))
    .flatMap((first) =>
      allStepCommands
        .filter((second) => isWrite(second) && keyOf(first) <= keyOf(second))
        .map((second) => pairKey(first, second, true)),
    ),
];

/** This number of sequences covers every pair, whatever is drawn. */
export const sequencesForAllPairs = 60;

/** Returns the pairs that a sequence covers. */
function pairsOf(steps: readonly SequenceStep[]): readonly string[] {
  return steps.flatMap((step, index) => {
    const [first, second] = step.toSorted((left, right) => (keyOf(left) <= keyOf(right) ? -1 : 1));
    const atOnce = first === undefined || second === undefined ? [] : [pairKey(first, second, true)];
    const next = steps[index + 1] ?? [];
    return [...atOnce, ...step.flatMap((one) => next.map((other) => pairKey(one, other)))];
  });
}

/** A sequence is short enough that its conversation can be read by a person. */
const maxSteps = 12;
/** Commands after a deletion, before the next conversation is created. */
const maxStepsAfterDeletion = 3;
const maxQuestions = 4;

interface Draft {
  readonly steps: SequenceStep[];
  questions: number;
  stepsAfterDeletion: number | undefined;
}

/** Lists the steps that may follow. */
function listNextSteps({ steps, questions, stepsAfterDeletion }: Draft): readonly SequenceStep[] {
  const isDeleted = stepsAfterDeletion !== undefined;
  const single = allStepCommands.filter(
    (stepCommand) =>
      !(isDeleted && isOnlyForExisting(stepCommand)) &&
      (questions < maxQuestions || !asksQuestion(stepCommand.command)),
  );
  // Commands after a deletion, such as a second deletion, are covered one after the other.
  const writes = isDeleted || steps.length === 0 ? [] : single.filter((stepCommand) => isWrite(stepCommand));
  const pairs = writes.flatMap((first) =>
    writes
      .filter((second) => keyOf(first) <= keyOf(second))
      .filter(
        (second) => [first, second].filter(({ command }) => asksQuestion(command)).length + questions <= maxQuestions,
      )
      .map((second): SequenceStep => [first, second]),
  );
  return [...single.map((stepCommand): SequenceStep => [stepCommand]), ...pairs];
}

function addStep(draft: Draft, step: SequenceStep): void {
  draft.steps.push(step);
  draft.questions += step.filter(({ command }) => asksQuestion(command)).length;
  if (draft.stepsAfterDeletion !== undefined) {
    draft.stepsAfterDeletion += 1;
  } else if (step.some(({ command }) => command === "delete")) {
    draft.stepsAfterDeletion = 0;
  }
}

/** Reports whether a pair that nothing covered yet begins with a command. */
const isStartOfPair = (stepCommand: StepCommand, uncovered: ReadonlySet<string>): boolean =>
  [...uncovered].some((pair) => pair.startsWith(`${keyOf(stepCommand)} then `));

/** Generates one sequence: each step covers as many pairs as possible that nothing covered yet. Ties are drawn. */
function generateSequence(createdIn: ConversationInterface, uncovered: Set<string>, random: () => number): Sequence {
  const draft: Draft = { steps: [], questions: 1, stepsAfterDeletion: undefined };
  while (draft.steps.length < maxSteps && (draft.stepsAfterDeletion ?? 0) < maxStepsAfterDeletion) {
    const previous = draft.steps.slice(-1);
    const candidates = listNextSteps(draft).map((step) => {
      const gain = pairsOf([...previous, step]).filter((pair) => uncovered.has(pair)).length;
      // A deletion ends most sequences, so it waits until the sequence has covered something.
      const isEarlyEnd = draft.steps.length < 4 && step.some(({ command }) => command === "delete");
      const leadsOn = step.some((one) => isStartOfPair(one, uncovered));
      return { step, score: (isEarlyEnd ? 0 : gain) + (leadsOn ? 0.5 : 0) + random() / 2 };
    });
    const best = candidates.reduce((left, right) => (right.score > left.score ? right : left));
    addStep(draft, best.step);
    pairsOf([...previous, best.step]).forEach((pair) => uncovered.delete(pair));
  }
  return { createdIn, steps: draft.steps, questions: draft.questions, pairs: pairsOf(draft.steps) };
}

/**
 * Generates sequences that together cover as many ordered pairs of commands as possible, in both interfaces and across them. The same
 * random numbers give the same sequences. Earlier ones cover more.
 */
export function generateSequences(
  count: number,
  { random }: { readonly random: () => number },
): { readonly sequences: readonly Sequence[]; readonly uncovered: readonly string[] } {
  const uncovered = new Set(sequencePairs);
  let isCovered = false;
  const sequences = Array.from({ length: count }, (_, index) => {
    if (uncovered.size === 0) {
      // Every pair was covered once: explore further.
      isCovered = true;
      sequencePairs.forEach((pair) => uncovered.add(pair));
    }
    return generateSequence(index % 2 === 0 ? "legacy" : "current", uncovered, random);
  });
  return { sequences, uncovered: isCovered ? [] : [...uncovered] };
}

const parseCommand = (text: string): StepCommand => {
  const [name = "", side] = text.split(" ");
  const command = sequenceCommandNames.find((candidate) => candidate === name);
  if (command === undefined) {
    throw new Error(`there is no command ${name}`);
  }
  return { command, side: side === "other" ? "other" : "own" };
};

/** Reads steps such as `follow-up`, `read other` and `follow-up + follow-up other`; the last one sends both at once. */
export const readSteps = (...texts: readonly string[]): readonly SequenceStep[] =>
  texts.map((text) => {
    const [first = "", ...more] = text.split(" + ");
    return [parseCommand(first), ...more.map((one) => parseCommand(one))];
  });
