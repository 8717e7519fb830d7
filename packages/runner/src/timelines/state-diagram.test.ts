import { repetitions } from "@assay/tools/proving";
import type { StateDiagram } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resultOf } from "../testing/result-of.ts";
import { bundleOf } from "./testing/bundle-of.ts";
import { calls } from "./testing/conversation-calls.ts";
import type { CallSketch } from "./testing/conversation-calls.ts";
import { createTimelines } from "./create-timelines.ts";

const rules = ["legacy/status-transitions-are-listed", "current/state-transitions-are-listed"] as const;

function diagramsOf(sketches: readonly CallSketch[]): readonly StateDiagram[] {
  const exchanges = calls(sketches);
  return createTimelines(bundleOf(exchanges), resultOf(exchanges, { rules })).diagrams;
}

const edgesOf = (sketches: readonly CallSketch[]): readonly string[] =>
  diagramsOf(sketches).flatMap(({ interface: name, edges }) =>
    edges.map(({ from, to, standing, seen }) => `${name} ${from}>${to} ${standing} ${seen}`),
  );

/** Consecutive polls of one conversation. */
const inTurn = (states: readonly string[], other: Partial<CallSketch> = {}): readonly CallSketch[] =>
  states.map((state, index) => ({
    operation: index === 0 ? "create" : "get",
    states: [state],
    sent: 1000 * index,
    answered: 1000 * index + 500,
    session: "main",
    ...other,
  }));

describe("the state diagram", () => {
  test.each<{ name: string; sketches: readonly CallSketch[]; edges: readonly string[] }>([
    { name: "is empty without conversations", sketches: [], edges: [] },
    {
      name: "has the allowed steps, seen or not",
      sketches: inTurn(["processing", "processing"], { interface: "current" }),
      edges: [
        "current processing>completed allowed 0",
        "current processing>error allowed 0",
        "current processing>canceled unstated 0",
      ],
    },
    {
      name: "counts the questions that took a step",
      sketches: [
        ...inTurn(["processing", "completed"]),
        ...inTurn(["processing", "processing", "completed"], { conversation: 2 }),
      ],
      edges: ["legacy processing>completed allowed 2"],
    },
    {
      name: "has unspecified steps",
      sketches: inTurn(["pending", "processing", "completed"]),
      edges: ["legacy pending>processing unstated 1", "legacy processing>completed allowed 1"],
    },
    {
      name: "has states that no specification lists",
      sketches: inTurn(["processing", "finished"]),
      edges: ["legacy processing>completed allowed 0", "legacy processing>finished unstated 1"],
    },
    {
      name: "has a step back that the target took",
      sketches: inTurn(["processing", "completed", "processing", "processing"]),
      edges: ["legacy processing>completed allowed 1", "legacy completed>processing not-allowed 1"],
    },
    {
      name: "has two end states that exclude each other",
      sketches: inTurn(["processing", "completed", "error"], { interface: "current" }),
      edges: [
        "current processing>completed allowed 1",
        "current processing>error allowed 0",
        "current processing>canceled unstated 0",
        "current completed>error not-allowed 1",
      ],
    },
    {
      name: "has no step between polls that overlap",
      sketches: [
        { operation: "create", states: ["processing"], sent: 0, answered: 100 },
        { states: ["completed"], sent: 200, answered: 900, session: "one" },
        { states: ["processing"], sent: 210, answered: 950, session: "two" },
        { states: ["completed"], sent: 1000, answered: 1100, session: "one" },
      ],
      edges: ["legacy processing>completed allowed 1"],
    },
    {
      name: "does not count a read of an older version as a step",
      sketches: [
        { operation: "create", states: ["processing"], sent: 0, answered: 100, updated: 1 },
        { states: ["completed"], sent: 200, answered: 300, updated: 5, session: "one" },
        { states: ["processing"], sent: 400, answered: 500, updated: 1, session: "two" },
        { states: ["completed"], sent: 600, answered: 700, updated: 5, session: "two" },
      ],
      edges: ["legacy processing>completed allowed 1"],
    },
    {
      name: "begins again with each question of a conversation",
      sketches: [
        { interface: "current", operation: "create", states: ["processing"], sent: 0, answered: 100 },
        { interface: "current", states: ["completed"], sent: 200, answered: 300 },
        { interface: "current", operation: "follow-up", states: ["completed", "processing"], sent: 400, answered: 500 },
        { interface: "current", states: ["completed", "error"], sent: 600, answered: 700 },
      ],
      edges: [
        "current processing>completed allowed 1",
        "current processing>error allowed 1",
        "current processing>canceled unstated 0",
      ],
    },
  ])("$name", ({ sketches, edges }) => {
    expect(edgesOf(sketches)).toEqual(edges);
  });

  test("counts the questions that were in a state, and marks end states and unlisted ones", () => {
    const [diagram] = diagramsOf([...inTurn(["processing", "done"]), ...inTurn(["processing"], { conversation: 2 })]);
    expect(diagram?.states).toEqual([
      { state: "pending", listed: true, terminal: false, seen: 0 },
      { state: "processing", listed: true, terminal: false, seen: 2 },
      { state: "completed", listed: true, terminal: true, seen: 0 },
      { state: "done", listed: false, terminal: false, seen: 1 },
    ]);
  });

  test.each<{ name: string; sketches: readonly CallSketch[]; beginnings: readonly (object | undefined)[] }>([
    { name: "as specified", sketches: inTurn(["processing", "completed"]), beginnings: [undefined] },
    { name: "in an unspecified state", sketches: inTurn(["pending", "completed"]), beginnings: [undefined] },
    { name: "in an unlisted state", sketches: inTurn(["done", "completed"]), beginnings: [undefined] },
    {
      name: "in an end state",
      sketches: [
        ...inTurn(["completed", "completed"]),
        ...inTurn(["completed"], { conversation: 2 }),
        ...inTurn(["error"], { interface: "current" }),
      ],
      beginnings: [[{ state: "completed", seen: 2 }], [{ state: "error", seen: 1 }]],
    },
    {
      name: "in an end state, a further question only",
      sketches: [
        ...inTurn(["processing", "completed"]),
        { operation: "follow-up", states: ["completed", "completed"], sent: 4000, answered: 4500 },
      ],
      beginnings: [[{ state: "completed", seen: 1 }]],
    },
    {
      name: "as specified if only a poll shows them in an end state",
      sketches: [
        ...inTurn(["processing", "completed"]),
        { operation: "follow-up", states: ["completed", "processing"], sent: 4000, answered: 4500 },
        { states: ["completed", "completed"], sent: 5000, answered: 5500 },
      ],
      beginnings: [undefined],
    },
  ])("counts questions that began $name", ({ sketches, beginnings }) => {
    expect(diagramsOf(sketches).map((diagram) => diagram.beginnings)).toEqual(beginnings);
  });

  test("has a limited number of states, whatever a target sends", () => {
    const states = Array.from({ length: 500 }, (_, index) => `state ${String(index).padStart(3, "0")}`);
    const [diagram] = diagramsOf(inTurn(states));
    expect(diagram?.states.map(({ state }) => state).slice(3)).toEqual([...states.slice(0, 8), "(others)"]);
    expect(diagram?.edges.length).toBeLessThan(20);
  });
});

/** Polls of a question that finishes at an instant; each reads its state at some moment between request and answer. */
const legalPolls = (end: string) =>
  fc
    .array(
      fc.record({
        sent: fc.integer({ min: 101, max: 2000 }),
        untilLook: fc.nat({ max: 300 }),
        afterLook: fc.nat({ max: 300 }),
        session: fc.constantFrom("one", "two", "three"),
      }),
      { maxLength: 25 },
    )
    .chain((polls) =>
      fc.integer({ min: 100, max: 2000 }).map((finishedAt) => {
        // A poller sends its next request after the previous answer; one that would overlap belongs to another poller.
        return polls.map(({ sent, untilLook, afterLook, session }, index): CallSketch => {
          const state = sent + untilLook < finishedAt ? "processing" : end;
          const answered = sent + untilLook + afterLook;
          return { states: [state], sent, answered, session: `${session}-${index}` };
        });
      }),
    );

const created = (name: "legacy" | "current"): CallSketch => ({
  interface: name,
  operation: "create",
  states: ["processing"],
  sent: 0,
  answered: 50,
});

const asOf = (name: "legacy" | "current", polls: readonly CallSketch[]): readonly CallSketch[] => [
  created(name),
  ...polls.map((poll) => ({ ...poll, interface: name })),
];

const isFailed = (sketches: readonly CallSketch[]): boolean =>
  resultOf(calls(sketches), { rules }).verdicts.some(({ verdict }) => verdict.outcome === "failed");

describe.each(["legacy", "current"] as const)("of the %s interface", (name) => {
  test("no step is drawn as not allowed if none was forbidden, however polls overlap", () => {
    fc.assert(
      fc.property(legalPolls("completed"), (polls) => {
        const edges = diagramsOf(asOf(name, polls)).flatMap((diagram) => diagram.edges);
        expect(edges.filter(({ standing }) => standing === "not-allowed")).toEqual([]);
      }),
      { numRuns: repetitions(15, 60) },
    );
  });

  test("a step is drawn as not allowed exactly if a rule fails because of one, whatever was answered", () => {
    const state = fc.constantFrom("processing", "completed", "completed", "pending", "error", "other");
    const drawn = fc.array(fc.tuple(state, fc.nat({ max: 900 }), fc.nat({ max: 200 }), fc.nat({ max: 3 })), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(drawn, fc.boolean(), (polls, isDated) => {
        const sketches = asOf(
          name,
          polls.map(([shown, sent, lasted, session], index) => ({
            states: [shown],
            sent: 60 + sent,
            answered: 60 + sent + lasted,
            session: `${session}`,
            ...(isDated ? { updated: index % 3 } : {}),
          })),
        );
        const edges = diagramsOf(sketches).flatMap((diagram) => diagram.edges);
        expect(edges.some(({ standing }) => standing === "not-allowed")).toBe(isFailed(sketches));
      }),
      { numRuns: repetitions(25, 100) },
    );
  });
});
