import { currentMachine, legacyMachine } from "@assay/contract";
import type { ConversationMachine } from "@assay/contract";
import type { QuestionPoll, StateDiagram, StateEdge } from "@assay/results";
import type { ConversationEvidence } from "@assay/rules";
import type { ConversationInterface } from "../converse/dialect.ts";
import { findSteps } from "./find-steps.ts";
import type { ObservedStep } from "./find-steps.ts";
import type { ObservedQuestion } from "./find-questions.ts";

type Finding = ReturnType<ConversationEvidence["histories"]>["findings"][number];

const machines = { legacy: legacyMachine, current: currentMachine } as const;

/** Maximum number of unlisted states with a node of their own. All others share a node. */
const maxUnlisted = 8;
const sharedState = "(others)";

/**
 * Returns the state table of one interface with the observed steps. A step is marked as not allowed only if the history checker reports
 * it. A read of an older version is not a step. Other steps between listed states that are not in the table are omitted, so that a step
 * is only drawn in red if a rule failed.
 */
export function createStateDiagram(
  name: ConversationInterface,
  questions: readonly ObservedQuestion[],
  findings: readonly Finding[],
): StateDiagram {
  const machine = machines[name];
  const unlistedStates = findUnlistedStates(machine, questions);
  const displayState = (state: string): string =>
    machine.states.includes(state) || unlistedStates.includes(state) ? state : sharedState;
  const polls = questions.map((question) =>
    question.polls.map((poll): QuestionPoll => ({ ...poll, state: displayState(poll.state) })),
  );
  const states = [...machine.states, ...unlistedStates];
  const beginnings = findForbiddenInitialStates(machine, questions);
  return {
    interface: name,
    states: states.map((state) => ({
      state,
      listed: machine.states.includes(state),
      terminal: machine.terminal.includes(state),
      seen: polls.filter((questionPolls) => questionPolls.some((poll) => poll.state === state)).length,
    })),
    edges: createEdges(machine, polls, findings).sort(byStates(states)),
    ...(beginnings.length === 0 ? {} : { beginnings }),
  };
}

/** Returns forbidden initial states, like the rule. Unlisted states have a separate rule, and a question may begin in an unspecified state. */
function findForbiddenInitialStates(
  { states, initial, open }: ConversationMachine,
  questions: readonly ObservedQuestion[],
): NonNullable<StateDiagram["beginnings"]> {
  const observedStates = questions.flatMap(({ initialStates }) => initialStates);
  return states
    .filter((state) => state !== initial && !open.some((entry) => entry.state === state))
    .map((state) => ({ state, seen: observedStates.filter((observedState) => observedState === state).length }))
    .filter((beginning) => beginning.seen > 0);
}

/** Returns unlisted states, sorted by name. If there are too many, the last one represents the rest. */
function findUnlistedStates(
  { states }: ConversationMachine,
  questions: readonly ObservedQuestion[],
): readonly string[] {
  const observedStates = new Set(questions.flatMap(({ polls }) => polls.map(({ state }) => state)));
  const unlistedStates = [...observedStates].filter((state) => !states.includes(state)).sort();
  return unlistedStates.length > maxUnlisted ? [...unlistedStates.slice(0, maxUnlisted), sharedState] : unlistedStates;
}

const byStates =
  (states: readonly string[]) =>
  (a: StateEdge, b: StateEdge): number =>
    states.indexOf(a.from) - states.indexOf(b.from) || states.indexOf(a.to) - states.indexOf(b.to);

const createStepKey = ({ from, to }: ObservedStep): string => JSON.stringify([from, to]);

function createEdges(
  machine: ConversationMachine,
  questions: readonly (readonly QuestionPoll[])[],
  findings: readonly Finding[],
): StateEdge[] {
  const edges = new Map<string, StateEdge>();
  const countStep = (step: ObservedStep, standing: StateEdge["standing"], times: number): void => {
    const total = (edges.get(createStepKey(step))?.seen ?? 0) + times;
    edges.set(createStepKey(step), { from: step.from, to: step.to, standing, seen: total });
  };
  machine.transitions.forEach((step) => countStep(step, "allowed", 0));
  machine.tolerated.forEach((step) => countStep(step, "unstated", 0));
  for (const polls of questions) {
    for (const step of findSteps(polls)) {
      const standing = judgeStep(machine, step);
      if (standing !== undefined) {
        countStep(step, standing, 1);
      }
    }
  }
  for (const step of findForbiddenSteps(machine, findings)) {
    countStep(step, "not-allowed", 1);
  }
  return [...edges.values()];
}

const equalsStep =
  ({ from, to }: ObservedStep) =>
  (otherStep: ObservedStep): boolean =>
    otherStep.from === from && otherStep.to === to;

/** Returns the standing of a step that is in the table or unspecified, or undefined if the checker decides. */
function judgeStep(
  { transitions, tolerated, open, states }: ConversationMachine,
  step: ObservedStep,
): "allowed" | "unstated" | undefined {
  if (transitions.some(equalsStep(step))) {
    return "allowed";
  }
  const isUnspecified = (state: string): boolean =>
    !states.includes(state) || open.some((entry) => entry.state === state);
  return tolerated.some(equalsStep(step)) || isUnspecified(step.from) || isUnspecified(step.to)
    ? "unstated"
    : undefined;
}

const violationCodes: ReadonlySet<string> = new Set([
  "backward-transition",
  "unlisted-transition",
  "incomparable-ends",
] satisfies readonly Finding["code"][]);

/** Returns the steps that the history checker rejects, one for each question with the step. */
function findForbiddenSteps({ states }: ConversationMachine, findings: readonly Finding[]): readonly ObservedStep[] {
  const steps = new Map<string, ObservedStep>();
  for (const { code, conversation, question, first, second } of findings) {
    const step = { from: first.value, to: second.value };
    if (violationCodes.has(code) && states.includes(step.from) && states.includes(step.to)) {
      steps.set(JSON.stringify([conversation, question ?? -1, step.from, step.to]), step);
    }
  }
  return [...steps.values()];
}
