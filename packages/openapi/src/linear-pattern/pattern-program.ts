/** Reports whether one character matches: a code point, or a UTF-16 unit in patterns without `u`. */
export type CharacterTest = (character: string) => boolean;

/** A position between two characters that a pattern can require. */
export type Boundary = "start" | "end" | "word" | "not-word";

/**
 * One step of a compiled pattern. `character` continues with the next step after a matching character; `fork` continues at
 * every target; `boundary` continues with the next step if the position matches; `match` is the end.
 */
export type Step =
  | { readonly kind: "character"; readonly test: CharacterTest }
  | { readonly kind: "fork"; readonly targets: readonly number[] }
  | { readonly kind: "boundary"; readonly boundary: Boundary }
  | { readonly kind: "match" };

/** A pattern as a tree. */
export type PatternNode =
  | { readonly kind: "character"; readonly test: CharacterTest }
  | { readonly kind: "boundary"; readonly boundary: Boundary }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly part: PatternNode; readonly min: number; readonly max: number };

/** Maximum number of steps of one pattern. Time is at most the length of the text times this number. */
export const maxSteps = 2000;

/** Compiles a pattern to steps, ending with `match`. Returns undefined beyond `maxSteps`. */
export const compileProgram = (node: PatternNode): readonly Step[] | undefined => {
  const steps: Step[] = [];
  const isComplete = emit(node, steps);
  return isComplete ? [...steps, { kind: "match" }] : undefined;
};

/** Appends the steps of `node`. Returns false beyond the limit. */
const emit = (node: PatternNode, steps: Step[]): boolean => {
  if (steps.length > maxSteps) {
    return false;
  }
  switch (node.kind) {
    case "character":
    case "boundary":
      steps.push(node);
      return true;
    case "sequence":
      return node.parts.every((part) => emit(part, steps));
    case "choice":
      return emitChoice(node.parts, steps);
    case "repeat":
      return emitRepeat(node, steps);
  }
};

const emitChoice = (parts: readonly PatternNode[], steps: Step[]): boolean => {
  const fork = steps.push({ kind: "match" }) - 1;
  const starts: number[] = [];
  const ends: number[] = [];
  const isComplete = parts.every((part) => {
    starts.push(steps.length);
    const emitted = emit(part, steps);
    ends.push(steps.push({ kind: "match" }) - 1);
    return emitted;
  });
  steps[fork] = { kind: "fork", targets: starts };
  for (const end of ends) {
    steps[end] = { kind: "fork", targets: [steps.length] };
  }
  return isComplete;
};

const emitRepeat = ({ part, min, max }: PatternNode & { readonly kind: "repeat" }, steps: Step[]): boolean => {
  for (let count = 0; count < min; count += 1) {
    const lengthBefore = steps.length;
    if (!emit(part, steps)) {
      return false;
    }
    if (steps.length === lengthBefore) {
      // An empty node repeated is empty. Counting to a billion here would take time.
      return true;
    }
  }
  return max === Number.POSITIVE_INFINITY ? emitLoop(part, steps) : emitOptional(part, max - min, steps);
};

const emitLoop = (part: PatternNode, steps: Step[]): boolean => {
  const fork = steps.push({ kind: "match" }) - 1;
  const isComplete = emit(part, steps);
  steps.push({ kind: "fork", targets: [fork] });
  steps[fork] = { kind: "fork", targets: [fork + 1, steps.length] };
  return isComplete;
};

const emitOptional = (part: PatternNode, times: number, steps: Step[]): boolean => {
  const forks: number[] = [];
  for (let count = 0; count < times; count += 1) {
    forks.push(steps.push({ kind: "match" }) - 1);
    if (!emit(part, steps)) {
      return false;
    }
  }
  for (const fork of forks) {
    steps[fork] = { kind: "fork", targets: [fork + 1, steps.length] };
  }
  return true;
};
