import { defined, unspecifiedBehaviour } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findContradictions } from "./permitted-worlds.ts";
import type { ReadStep, Step, WriteStep } from "./permitted-worlds.ts";

const second = 1_000_000;

interface Sketch {
  readonly kind: Step["kind"];
  readonly at: number;
  /** [a tenth of a second later] */
  readonly until?: number;
  readonly interface?: Step["interface"];
  readonly write?: WriteStep["write"];
  readonly outcome?: WriteStep["outcome"];
  readonly text?: string;
  readonly shows?: ReadStep["shows"];
  readonly texts?: readonly (string | undefined)[];
}

type More = Partial<Omit<Sketch, "kind" | "at">>;

/** Steps at times in seconds. The exchange is the index. */
const sequence = (...sketches: readonly Sketch[]): readonly Step[] =>
  sketches.map(
    ({ at, until = at + 0.1, kind, write = "create", outcome = "accepted", shows = "nothing", ...sketch }, index) => {
      const base = {
        exchange: String(index),
        interface: sketch.interface ?? "legacy",
        sentAtMicros: at * second,
        endedAtMicros: until * second,
      };
      const { text, texts } = sketch;
      return kind === "write"
        ? { ...base, kind, write, outcome, ...defined({ text }) }
        : { ...base, kind, shows, ...defined({ texts }) };
    },
  );

const creates = (at: number, text = "a"): Sketch => ({ kind: "write", write: "create", text, at });
const asks = (at: number, text: string, more: More = {}): Sketch => ({
  kind: "write",
  write: "follow-up",
  text,
  at,
  ...more,
});
const deletes = (at: number, more: More = {}): Sketch => ({ kind: "write", write: "delete", at, ...more });
const cancels = (at: number): Sketch => ({ kind: "write", write: "cancel", at });
const reads = (at: number, texts: readonly (string | undefined)[], more: More = {}): Sketch => ({
  kind: "read",
  shows: "conversation",
  texts,
  at,
  ...more,
});
const finds = (at: number, more: More = {}): Sketch => ({ kind: "read", shows: "nothing", at, ...more });
const inCurrent = { interface: "current" } as const;

/** The kinds of contradictions, each with the exchanges of the shortest sequence. */
const found = (steps: readonly Step[]): readonly string[] =>
  findContradictions(steps).map(
    ({ kind, shortest }) => `${kind}: ${shortest.map(({ exchange }) => exchange).join(" ")}`,
  );

interface Row {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly contradictions?: readonly string[];
}

describe("a sequence is explained", () => {
  test.each<Row>([
    { name: "by a question that is added", steps: sequence(creates(0), asks(1, "b"), reads(9, ["a", "b"])) },
    {
      name: "by a replica that lags",
      steps: sequence(creates(0), asks(1, "b"), reads(2, ["a"]), reads(9, ["a", "b"])),
    },
    { name: "by a refusal", steps: sequence(creates(0), asks(1, "b", { outcome: "refused" }), reads(9, ["a"])) },
    {
      name: "by a write without an answer",
      steps: sequence(creates(0), asks(1, "b", { outcome: "unknown" }), reads(9, ["a"])),
    },
    {
      name: "by two questions at once, of which one is refused",
      steps: sequence(creates(0), asks(1, "b"), asks(1, "c", { outcome: "refused" }), reads(9, ["a", "b"])),
    },
    {
      name: "by a cancelled question that is dropped",
      steps: sequence(creates(0), asks(1, "b"), cancels(2), reads(9, ["a"])),
    },
    { name: "by a deletion", steps: sequence(creates(0), deletes(1), finds(2), finds(9, inCurrent)) },
    {
      name: "by a deletion that a replica does not know yet",
      steps: sequence(creates(0), deletes(1), reads(2, ["a"]), finds(9)),
    },
    { name: "by an interface that does not show it", steps: sequence(creates(0), finds(9, inCurrent)) },
    { name: "by a read during the deletion", steps: sequence(creates(0), deletes(1, { until: 9 }), reads(8, ["a"])) },
    {
      name: "by a question and a deletion at once",
      steps: sequence(creates(0), deletes(1, { until: 2 }), asks(1, "b"), finds(9)),
    },
    { name: "by a question of somebody else", steps: sequence(creates(0), reads(9, ["x", "a", "y"])) },
    {
      name: "by a question whose text changed, which other rules report",
      steps: sequence(creates(0), reads(9, ["A"])),
    },
    {
      name: "by a recording that begins later",
      steps: sequence(asks(1, "b"), reads(9, ["a", "b"]), deletes(10), finds(20)),
    },
    {
      name: "by a list without questions",
      steps: sequence(creates(0), { kind: "read", shows: "conversation", at: 9 }),
    },
  ])("$name", ({ steps }) => {
    expect(found(steps)).toEqual([]);
  });
});

describe("a sequence is contradictory", () => {
  test.each<Row>([
    {
      name: "without the third follow-up",
      steps: sequence(
        creates(0),
        asks(1, "b"),
        reads(2, ["a", "b"]),
        asks(3, "c"),
        asks(5, "d"),
        reads(20, ["a", "b", "c"]),
      ),
      contradictions: ["question-is-lost: 4 5"],
    },
    {
      name: "without one of two questions that were asked at once",
      steps: sequence(creates(0), asks(1, "b"), asks(1, "c"), reads(9, ["a", "c"])),
      contradictions: ["question-is-lost: 1 3"],
    },
    {
      name: "with a conversation that was deleted through the other interface",
      steps: sequence(creates(0), reads(1, ["a"], inCurrent), deletes(2), finds(9), reads(10, ["a"], inCurrent)),
      contradictions: ["deleted-is-shown: 2 4"],
    },
    {
      name: "with a question in a deleted conversation",
      steps: sequence(creates(0), deletes(2), asks(9, "b", inCurrent)),
      contradictions: ["deleted-takes-question: 1 2"],
    },
    {
      name: "with a conversation that comes back after a deletion without an answer",
      steps: sequence(creates(0), deletes(1, { outcome: "unknown" }), finds(20), reads(60, ["a"])),
      contradictions: ["deleted-is-shown: 1 2 3"],
    },
    {
      name: "without a conversation that nobody deleted",
      steps: sequence(creates(0), finds(9)),
      contradictions: ["not-found: 1"],
    },
  ])("$name", ({ steps, contradictions }) => {
    expect(found(steps)).toEqual(contradictions);
  });
});

/** What the model makes of behaviour that the specification leaves open. */
interface OpenQuestion {
  /** One sequence for each accepted behaviour, in the order of the register. */
  readonly accepted: readonly (readonly Sketch[])[];
  /** A sequence that goes beyond what is accepted, and its contradiction. */
  readonly tooFar: readonly Sketch[];
  readonly contradiction: string;
}

/** The same step in the other interface. Sketches are of the legacy one unless they say otherwise. */
const swapInterface = (sketch: Sketch): Sketch => ({
  ...sketch,
  interface: sketch.interface === "current" ? "legacy" : "current",
});

const refused = { outcome: "refused" } as const;
const unclear = { outcome: "unknown" } as const;

/** Open questions about what the store holds after a request. */
const openQuestions: Readonly<Record<string, OpenQuestion>> = {
  "status-after-cancel": {
    accepted: [
      [creates(0), cancels(1), reads(9, ["a"])],
      [creates(0), asks(1, "b"), cancels(2), reads(9, ["a", "b"])],
      [creates(0), cancels(1), reads(2, ["a"]), reads(60, ["a"])],
      [creates(0), asks(1, "b"), cancels(2), reads(9, ["a"])],
    ],
    tooFar: [creates(0), cancels(1), finds(9)],
    contradiction: "not-found: 2",
  },
  "canceled-state": {
    accepted: [
      [creates(0), cancels(1), reads(9, ["a"])],
      [creates(0), reads(9, ["a"])],
      [creates(0), { ...cancels(1), ...refused }, reads(9, ["a"])],
    ],
    tooFar: [creates(0), { ...cancels(1), ...refused }, finds(9)],
    contradiction: "not-found: 2",
  },
  "cancel-of-finished": {
    accepted: [
      [creates(0), { ...cancels(60), ...refused }, reads(70, ["a"])],
      [creates(0), cancels(60), reads(70, ["a"])],
    ],
    tooFar: [creates(0), cancels(60), finds(70)],
    contradiction: "not-found: 2",
  },
  "read-after-delete": {
    // Another refusal shows nothing about the conversation, so it is no step.
    accepted: [
      [creates(0), deletes(1), finds(9)],
      [creates(0), deletes(1)],
      [creates(0), deletes(1), reads(6, ["a"]), finds(9)],
    ],
    tooFar: [creates(0), deletes(1), reads(7, ["a"])],
    contradiction: "deleted-is-shown: 1 2",
  },
  "follow-up-while-processing": {
    accepted: [
      [creates(0), asks(1, "b", refused), reads(9, ["a"])],
      [creates(0), asks(1, "b"), reads(9, ["a", "b"])],
    ],
    tooFar: [creates(0), asks(1, "b"), reads(9, ["a"])],
    contradiction: "question-is-lost: 1 2",
  },
  "follow-up-after-other-end": {
    accepted: [
      [creates(0), cancels(1), asks(9, "b", refused), reads(20, ["a"])],
      [creates(0), cancels(1), asks(9, "b"), reads(20, ["a", "b"])],
    ],
    tooFar: [creates(0), cancels(1), asks(9, "b"), reads(20, ["a"])],
    contradiction: "question-is-lost: 2 3",
  },
  "write-by-other-user": {
    // Whether such a write had an effect is for the rules of access to judge.
    accepted: [
      [creates(0), deletes(1, refused), reads(9, ["a"])],
      [creates(0), deletes(1, unclear), asks(2, "b", unclear), reads(9, ["a"])],
    ],
    tooFar: [creates(0), asks(1, "b", unclear), reads(9, ["b"])],
    contradiction: "question-is-lost: 0 2",
  },
  "list-of-new": {
    // A list without the conversation is no step.
    accepted: [
      [creates(0), { kind: "read", shows: "conversation", at: 1 }],
      [creates(0), reads(1, ["a"])],
    ],
    tooFar: [creates(0), deletes(1), { kind: "read", shows: "conversation", at: 9 }],
    contradiction: "deleted-is-shown: 1 2",
  },
  "numbers-in-names": {
    accepted: [
      [creates(0), reads(9, ["a"], inCurrent)],
      [creates(0), finds(9, inCurrent)],
    ],
    tooFar: [creates(0), deletes(1), reads(9, ["a"], inCurrent)],
    contradiction: "deleted-is-shown: 1 2",
  },
  "canceled-question": {
    accepted: [
      [creates(0), { ...cancels(1), ...inCurrent }, reads(9, ["a"])],
      [creates(0), asks(1, "b"), { ...cancels(2), ...inCurrent }, reads(9, ["a"])],
    ],
    tooFar: [creates(0), { ...cancels(1), ...inCurrent }, finds(9)],
    contradiction: "not-found: 2",
  },
};

/** Open questions about the form of messages, access, times and the parameters of a list. The model does not read these. */
const otherOpenQuestions: ReadonlySet<string> = new Set([
  "schemas",
  "list-body",
  "follow-up-body",
  "cancel-body",
  "delete-body",
  "error-body",
  "authorization-form",
  "push-notification",
  "member-spelling",
  "replaced-members",
  "answer-while-processing",
  "place-of-state",
  "form-of-retry-time",
  "error-with-answer",
  "user-in-names",
  "status-codes",
  "processing-time",
  "other-method",
  "pending-status",
  "other-error-kinds",
  "quota-limit",
  "rate-limit",
  "page-size",
  "removal-date",
  "list-envelope",
  "list-cursor",
  "success-code",
  "refusal-status",
  "null-for-absent",
  "turns-after-creation",
  "failed-question-members",
  "client-header",
  "other-scheme",
  "undocumented-parameter-values",
]);

describe("the model and the register of unspecified behaviour agree", () => {
  const register = unspecifiedBehaviour
    .map(({ id, accepted }) => ({ id, accepted, side: id.split("/")[0], subject: id.split("/")[1] ?? "" }))
    .filter(({ side }) => side !== "stream");

  test("each entry of the register is a question for the model or not, and no other is listed", () => {
    const subjects = new Set(register.map(({ subject }) => subject));
    expect(new Set([...Object.keys(openQuestions), ...otherOpenQuestions])).toEqual(subjects);
    expect(Object.keys(openQuestions).filter((subject) => otherOpenQuestions.has(subject))).toEqual([]);
  });

  const entries = register.flatMap(({ id, accepted, side, subject }) => {
    const question = openQuestions[subject];
    return question === undefined ? [] : [{ id, accepted, side, question }];
  });

  test.each(entries)("$id: all that is accepted is explained, and no more", ({ accepted, side, question }) => {
    const inInterface = (sketches: readonly Sketch[]): readonly Step[] =>
      sequence(...(side === "current" ? sketches.map((sketch) => swapInterface(sketch)) : sketches));
    expect(question.accepted).toHaveLength(accepted.length);
    expect(question.accepted.flatMap((sketches) => found(inInterface(sketches)))).toEqual([]);
    expect(found(inInterface(question.tooFar))).toEqual([question.contradiction]);
  });
});

/** A server with one store, whose answers lag at most as long as permitted. */
const servedSequence = fc
  .array(
    fc.record({
      command: fc.constantFrom("follow-up", "read", "delete", "cancel", "two-at-once"),
      side: fc.constantFrom("legacy" as const, "current" as const),
      isRefused: fc.boolean(),
      gap: fc.integer({ min: 1, max: 8 }),
    }),
    { maxLength: 12 },
  )
  .map((commands): readonly Step[] => {
    let at = 1;
    let exists = true;
    const texts = ["q0"];
    const sketches = commands.flatMap(({ command, side, isRefused, gap }, index): readonly Sketch[] => {
      at += gap;
      const via = { interface: side };
      const text = `q${index + 1}`;
      const outcome = exists && !isRefused ? "accepted" : "refused";
      switch (command) {
        case "read":
          return [exists ? reads(at, [...texts], via) : finds(at, via)];
        case "delete":
          exists = false;
          return [deletes(at, via)];
        case "cancel":
          return [{ ...cancels(at), ...via }];
        case "two-at-once": {
          texts.push(...(outcome === "accepted" ? [text] : []));
          return [asks(at, text, { ...via, outcome }), asks(at, `${text}x`, { outcome: "refused" })];
        }
        default:
          texts.push(...(outcome === "accepted" ? [text] : []));
          return [asks(at, text, { ...via, outcome })];
      }
    });
    return sequence(creates(0, "q0"), ...sketches);
  });

test("no sequence of a server with one store is contradictory", () => {
  fc.assert(
    fc.property(servedSequence, (steps) => {
      expect(found(steps)).toEqual([]);
    }),
  );
});

test("a server that loses any accepted question, or keeps a deleted conversation, is found", () => {
  fc.assert(
    fc.property(servedSequence, (steps) => {
      const end = Math.max(...steps.map(({ endedAtMicros }) => endedAtMicros)) / second;
      const isCancelled = steps.some((step) => step.kind === "write" && step.write === "cancel");
      const isDeleted = steps.some((step) => step.kind === "write" && step.write === "delete");
      fc.pre(isDeleted || !isCancelled);
      const [wrongRead] = sequence(reads(end + 20, isDeleted ? ["q0"] : []));
      const recorded = [...steps, ...(wrongRead === undefined ? [] : [{ ...wrongRead, exchange: "last" }])];
      const [contradiction] = findContradictions(recorded);
      expect(contradiction?.step.exchange).toBe("last");
      expect(contradiction?.shortest.length).toBe(2);
    }),
  );
});
