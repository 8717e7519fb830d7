import type { ConversationMachine, FieldGate, UnspecifiedId, Transition } from "@assay/contract";

/** The relation of a state to a state that was seen before it. */
export type StepKind = "same" | "listed" | "tolerated" | "open" | "backward" | "ends" | "unlisted";

export interface Step {
  readonly kind: StepKind;
  /** For a tolerated step, or a step into or out of an open state. */
  readonly behaviour?: UnspecifiedId;
}

export interface NumberedGate {
  readonly number: number;
  readonly gate: FieldGate;
}

/** A machine prepared for lookups: states by number, and the steps between them. */
export interface StateTable {
  readonly machine: ConversationMachine;
  readonly initial: number;
  /** Returns the number of a state, or undefined if the machine does not list it. */
  readonly numberOf: (state: string | undefined) => number | undefined;
  readonly nameOf: (state: number) => string;
  readonly isTerminal: (state: number) => boolean;
  /** Classifies seeing the second state after the first. Polls may miss states between them. */
  readonly step: (from: number, to: number) => Step;
  /** Returns the facts that any gate looks at, as bits. */
  readonly toFactBits: (facts: ReadonlySet<string>) => number;
  readonly toFacts: (bits: number) => ReadonlySet<string>;
  /** Returns the gates of a state, each with its number. */
  readonly gatesOf: (state: number) => readonly NumberedGate[];
  /** Returns the states from which this state is a step back. */
  readonly statesAbove: (state: number) => readonly number[];
  /** Reports whether two states exclude each other in both orders, so that seeing both is a finding of this kind. */
  readonly hasPair: (kind: "unlisted" | "ends") => boolean;
}

/** Returns all states reachable from each state, including itself. */
function computeReachability(
  states: readonly string[],
  rows: readonly Transition[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const findReachable = (state: string): ReadonlySet<string> => {
    const reached = new Set([state]);
    for (const current of reached) {
      for (const { from, to } of rows) {
        if (from === current) {
          reached.add(to);
        }
      }
    }
    return reached;
  };
  return new Map(states.map((state) => [state, findReachable(state)]));
}

function createStepLookup(machine: ConversationMachine): (from: string, to: string) => Step {
  const { states, transitions, tolerated, open, terminal } = machine;
  const listedReach = computeReachability(states, transitions);
  const acceptedReach = computeReachability(states, [...transitions, ...tolerated]);
  const isReachable = (graph: typeof listedReach, from: string, to: string): boolean =>
    graph.get(from)?.has(to) ?? false;
  // A tolerated step on the path: reachable from the first state, and leading to the second.
  const behaviourBetween = (from: string, to: string): UnspecifiedId | undefined =>
    tolerated.find((row) => isReachable(acceptedReach, from, row.from) && isReachable(acceptedReach, row.to, to))
      ?.behaviour;
  return (from, to) => {
    const openState = open.find(({ state }) => state === from || state === to);
    if (from === to || isReachable(listedReach, from, to)) {
      return { kind: from === to ? "same" : "listed" };
    }
    if (openState !== undefined) {
      return { kind: "open", behaviour: openState.behaviour };
    }
    if (isReachable(acceptedReach, from, to)) {
      const behaviour = behaviourBetween(from, to);
      return behaviour === undefined ? { kind: "listed" } : { kind: "tolerated", behaviour };
    }
    if (isReachable(acceptedReach, to, from)) {
      return { kind: "backward" };
    }
    return { kind: terminal.includes(from) && terminal.includes(to) ? "ends" : "unlisted" };
  };
}

/**
 * Prepares a machine for lookups. An open state permits the pairs it is part of, but not a pair around it: a conversation that was
 * completed and is processing later went back, regardless of the states between.
 */
export function createStateTable(machine: ConversationMachine): StateTable {
  const { states } = machine;
  const numbers = new Map(states.map((state, index) => [state, index]));
  const stepBetween = createStepLookup(machine);
  const steps = states.map((from) => states.map((to) => stepBetween(from, to)));
  const terminal = states.map((state) => machine.terminal.includes(state));
  const gates = states.map((name) =>
    machine.gates.flatMap((gate, number) => (gate.state === name ? [{ number, gate }] : [])),
  );
  const factNames = [
    ...new Set(
      machine.gates.flatMap(({ forbids = [], requires = [], unless = [] }) => [...forbids, ...requires, ...unless]),
    ),
  ];
  const factsByBits = new Map<number, ReadonlySet<string>>();
  const step = (from: number, to: number): Step => steps[from]?.[to] ?? { kind: "same" };
  const statesAbove = states.map((_, to) =>
    states.flatMap((_, from) => (step(from, to).kind === "backward" ? [from] : [])),
  );
  const exclusionKinds = new Set(
    states.flatMap((_, from) =>
      states.flatMap((_, to) => (step(from, to).kind === step(to, from).kind ? [step(from, to).kind] : [])),
    ),
  );
  return {
    machine,
    initial: numbers.get(machine.initial) ?? 0,
    numberOf: (state) => (state === undefined ? undefined : numbers.get(state)),
    nameOf: (state) => states[state] ?? "",
    isTerminal: (state) => terminal[state] ?? false,
    step,
    toFactBits: (facts) => {
      let bits = 0;
      for (let index = 0; index < factNames.length; index += 1) {
        bits |= facts.has(factNames[index] ?? "") ? 1 << index : 0;
      }
      return bits;
    },
    toFacts: (bits) => {
      const facts = factsByBits.get(bits) ?? new Set(factNames.filter((_, index) => (bits & (1 << index)) !== 0));
      factsByBits.set(bits, facts);
      return facts;
    },
    gatesOf: (state) => gates[state] ?? [],
    statesAbove: (state) => statesAbove[state] ?? [],
    hasPair: (kind) => exclusionKinds.has(kind),
  };
}
