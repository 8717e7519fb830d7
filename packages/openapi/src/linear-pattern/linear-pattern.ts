import { HarnessError } from "@assay/contract";
import { parsePattern } from "./parse-pattern.ts";
import { compileProgram } from "./pattern-program.ts";
import type { Boundary, Step } from "./pattern-program.ts";

/** A pattern whose matching takes time at most proportional to the length of the text times the length of the pattern. */
export interface LinearPattern {
  test(text: string): boolean;
  /** Unique for each pattern, because ajv treats patterns with the same text as equal. */
  toString(): string;
}

/**
 * Compiles an untrusted pattern with JavaScript rules (with flag `u` if possible) for an engine without backtracking. Throws a
 * `HarnessError`: `unsafe-pattern` for look-around, back-references and patterns that are too large, `cannot-compile` for an invalid
 * pattern.
 */
export const compileLinearPattern = (source: string): LinearPattern => {
  const flags = chooseFlags(source);
  const node = parsePattern(source, flags);
  const program = node === undefined ? undefined : compileProgram(node);
  if (program === undefined) {
    throw new HarnessError(
      "unsafe-pattern",
      `the pattern \`${source.slice(0, 100)}\` cannot be matched in linear time; write it without look-around and back-references, and shorter`,
    );
  }
  return {
    test: (text) => runProgram(program, flags === "u" ? Array.from(text) : text.split("")),
    toString: () => `/${source}/${flags}`,
  };
};

const chooseFlags = (source: string): "u" | "" => {
  for (const flags of ["u", ""] as const) {
    if (isPattern(source, flags)) {
      return flags;
    }
  }
  throw new HarnessError("cannot-compile", `\`${source.slice(0, 100)}\` is not a regular expression`);
};

const isPattern = (source: string, flags: string): boolean => {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
};

/** Follows all paths through the program at once, so that each step is visited once per character. */
const runProgram = (program: readonly Step[], text: readonly string[]): boolean => {
  const visitedAt = new Int32Array(program.length).fill(-1);
  let waitingSteps: number[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    const pending = [0, ...waitingSteps];
    waitingSteps = [];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      const step = program[index];
      if (step === undefined || visitedAt[index] === at) {
        continue;
      }
      visitedAt[index] = at;
      if (step.kind === "match") {
        return true;
      }
      const next = followStep(step, index, { text, at });
      if (next === "consumed") {
        waitingSteps.push(index + 1);
      } else {
        pending.push(...next);
      }
    }
  }
  return false;
};

interface TextPosition {
  readonly text: readonly string[];
  readonly at: number;
}

const followStep = (
  step: Exclude<Step, { kind: "match" }>,
  index: number,
  { text, at }: TextPosition,
): "consumed" | readonly number[] => {
  switch (step.kind) {
    case "character": {
      const character = text[at];
      return character !== undefined && step.test(character) ? "consumed" : [];
    }
    case "fork":
      return step.targets;
    case "boundary":
      return matchesBoundary(step.boundary, { text, at }) ? [index + 1] : [];
  }
};

const matchesBoundary = (boundary: Boundary, { text, at }: TextPosition): boolean => {
  switch (boundary) {
    case "start":
      return at === 0;
    case "end":
      return at === text.length;
    case "word":
      return isWord(text[at - 1]) !== isWord(text[at]);
    case "not-word":
      return isWord(text[at - 1]) === isWord(text[at]);
  }
};

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);
