import { describe, expect, test } from "vitest";
import { currentMachine, legacyMachine } from "./conversation-machines.ts";
import type { ConversationMachine } from "./conversation-machines.ts";
import { unspecifiedBehaviour } from "./unspecified-behaviour.ts";
import { isConversationRuleId } from "./rule-catalogue.ts";

const steps = ({ transitions }: ConversationMachine): readonly string[] =>
  transitions.map(({ from, to }) => `${from} -> ${to}`);

/** States that are reachable from the initial state, also by tolerated transitions. */
const reachable = ({ initial, transitions, tolerated }: ConversationMachine): ReadonlySet<string> => {
  const found = new Set([initial]);
  // A set iterates in insertion order and includes items added during the loop.
  for (const state of found) {
    for (const { to } of [...transitions, ...tolerated].filter(({ from }) => from === state)) {
      found.add(to);
    }
  }
  return found;
};

describe.each([
  {
    machine: legacyMachine,
    name: "the status of a legacy question",
    states: ["pending", "processing", "completed"],
    terminal: ["completed"],
    allowed: ["processing -> completed"],
    tolerated: [],
    open: ["pending"],
  },
  {
    machine: currentMachine,
    name: "the state of a current conversation",
    states: ["processing", "completed", "error", "canceled"],
    terminal: ["completed", "error", "canceled"],
    allowed: ["processing -> completed", "processing -> error"],
    tolerated: ["processing -> canceled"],
    open: [],
  },
])("$name", ({ machine, states, terminal, allowed, tolerated, open }) => {
  test("has exactly the values and rows of its table", () => {
    expect(machine.states).toEqual(states);
    expect(machine.terminal).toEqual(terminal);
    expect(steps(machine)).toEqual(allowed);
    expect(machine.tolerated.map(({ from, to }) => `${from} -> ${to}`)).toEqual(tolerated);
    expect(machine.open.map(({ state }) => state)).toEqual(open);
  });

  test("begins in processing, which is not terminal", () => {
    expect(machine.initial).toBe("processing");
    expect(machine.terminal).not.toContain(machine.initial);
  });

  test("names only listed states", () => {
    const named = [
      machine.initial,
      ...machine.terminal,
      ...[...machine.transitions, ...machine.tolerated].flatMap(({ from, to }) => [from, to]),
      ...machine.open.map(({ state }) => state),
      ...machine.gates.map(({ state }) => state),
    ];
    expect(named.filter((state) => !machine.states.includes(state))).toEqual([]);
  });

  test("has no transition out of a terminal state", () => {
    const exits = [...machine.transitions, ...machine.tolerated].filter(({ from }) => machine.terminal.includes(from));
    expect(exits).toEqual([]);
  });

  test("reaches every state except open ones", () => {
    expect(machine.states.filter((state) => !reachable(machine).has(state))).toEqual(open);
  });

  test("leaves every state that is neither terminal nor open", () => {
    const stuck = machine.states.filter((state) => !machine.transitions.some(({ from }) => from === state));
    expect(stuck.toSorted()).toEqual([...terminal, ...open].toSorted());
  });

  test("tolerates only unspecified behaviour", () => {
    const cited = [...machine.tolerated, ...machine.open].map(({ behaviour }) => behaviour);
    const known = new Set<string>(unspecifiedBehaviour.map(({ id }) => id));
    expect(cited.length).toBeGreaterThan(0);
    expect(
      cited.filter((behaviour) => !known.has(behaviour) || !behaviour.startsWith(`${machine.interface}/`)),
    ).toEqual([]);
  });

  test("has gates with a condition, each judged by the rule of its name", () => {
    const ids = machine.gates.map(({ name }) => `${machine.interface}/${name}`);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !isConversationRuleId(id))).toEqual([]);
    expect(machine.gates.filter(({ forbids = [], requires = [] }) => forbids.length + requires.length === 0)).toEqual(
      [],
    );
  });
});

test("only a conversation reopens; each question has a single epoch", () => {
  expect([legacyMachine.subject, legacyMachine.reopens]).toEqual(["question", false]);
  expect([currentMachine.subject, currentMachine.reopens]).toEqual(["conversation", true]);
});
