import { everyNth } from "@assay/tools/proving";
import { isConversationRuleId, ruleCatalogue } from "@assay/contract";
import { beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "../fault.ts";
import { type FaultChoice, listFaults } from "../fault-registry.ts";
import { conversationFaults } from "./conversation-faults.ts";
import { createConversationDriver } from "./testing/conversation-driver.ts";
import type { DriverOptions } from "./testing/conversation-driver.ts";
import { runFlow } from "./testing/conversation-flow.ts";
import type { FlowStep } from "./testing/conversation-flow.ts";
import { type FaultRow, rowsOf } from "./testing/rows-of.ts";

type Part = "legacy" | "current" | "both";

interface Flow {
  readonly steps: readonly FlowStep[];
  /** Number of calls that the journal shows as changed. */
  readonly applied: number;
}

interface Wanted extends DriverOptions {
  readonly part?: Part;
  /** The flow stops at the first difference from this one. */
  readonly usual?: Flow;
}

const shownStep = ({ answer: { headers, status, text }, name }: FlowStep): string =>
  JSON.stringify([name, status, headers["content-type"], text]);

const flow = async ({ part = "both", usual, ...options }: Wanted): Promise<Flow> => {
  const driver = createConversationDriver(options);
  const applied = (): number => driver.journal().filter(({ faultApplied }) => faultApplied).length;
  const departs = (step: FlowStep, index: number): boolean => {
    const usualStep = usual?.steps[index];
    return usualStep !== undefined && shownStep(step) !== shownStep(usualStep);
  };
  const steps = await runFlow(driver, { ...(part === "both" ? {} : { only: part }), until: departs });
  await driver.close();
  return { steps, applied: applied() };
};

const rules = ruleCatalogue.filter(({ id }) => isConversationRuleId(id));
const rows = conversationFaults.flatMap(rowsOf);

/** Faults that do not show in a flow without a network, or in answers. */
const isElsewhere = ({ fault, choice }: FaultRow): boolean =>
  ["conversation-reset", "conversation-truncated", "conversation-silence"].includes(fault.id) ||
  choice.id.endsWith("-description-of-another-release") ||
  choice.id === "current-no-api-reference" ||
  choice.id === "current-description-without-operations";

const needsSharingOff = (fault: Fault): boolean => fault.attacks === "legacy/unshared-conversation-is-hidden";

/** Settings that a fault needs to show in the flow, whose time is in the past. */
const settings: Readonly<Record<string, FaultChoice>> = {
  "conversation-slow": { id: "conversation-slow", params: { ms: 4_000_000_000_000 } },
};

/** The part of the flow in which a fault shows. */
const partOf = ({ id }: Fault): Part =>
  id.startsWith("legacy-") ? "legacy" : id.startsWith("current-") ? "current" : "both";

const nothing: Flow = { steps: [], applied: -1 };
const plain = new Map<string, Flow>();

beforeAll(async () => {
  for (const part of ["legacy", "current", "both"] as const) {
    plain.set(part, await flow({ part }));
  }
  plain.set("unshared", await flow({ part: "legacy", sharing: false }));
});

describe("the faults of the conversation API", () => {
  test("attack every rule of conversations", () => {
    const attacked = new Set(conversationFaults.map(({ attacks }) => attacks));
    expect(rules.map(({ id }) => id).filter((id) => !attacked.has(id))).toEqual([]);
  });

  test("attack only rules of conversations", () => {
    const ids = new Set<string | undefined>(rules.map(({ id }) => id));
    const attacking = conversationFaults.filter(({ attacks }) => attacks !== undefined);
    expect(attacking.filter(({ attacks }) => !ids.has(attacks)).map(({ id }) => id)).toEqual([]);
  });

  test("violate a rule if and only if they are violations", () => {
    const odd = conversationFaults.filter(
      ({ attacks, kind }) => (kind === "violation" || kind === "note") !== (attacks !== undefined),
    );
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("only observe what was merely seen before", () => {
    const observed = new Set<string | undefined>(rules.filter(({ basis }) => basis === "observed").map(({ id }) => id));
    const odd = conversationFaults.filter(
      ({ attacks, kind }) => attacks !== undefined && (kind === "note") !== observed.has(attacks),
    );
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("name their interface in their id", () => {
    const odd = conversationFaults.filter(
      ({ attacks = "", id }) =>
        attacks !== "" && !id.startsWith(attacks.slice(0, attacks.indexOf("/") + 1).replace("/", "-")),
    );
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("all act on the layer of conversations", () => {
    const own = new Set(conversationFaults.map(({ id }) => id));
    const elsewhere = listFaults().filter(({ id, layer }) => own.has(id) && layer !== "conversation");
    expect(elsewhere.map(({ id }) => id)).toEqual([]);
  });

  test("have more than a few variants", () => {
    expect(rows.length).toBeGreaterThan(250);
  });
});

test("a flow without a fault is repeatable, and its journal shows no fault", async () => {
  const { applied, steps } = plain.get("both") ?? nothing;
  expect(applied).toBe(0);
  expect((await flow({})).steps.map(shownStep)).toEqual(steps.map(shownStep));
});

/** Choices that equal the normal behaviour with the observed vocabulary. */
const isUsual = ({ text }: FaultRow): boolean => text === "current-spelling:how=underscores";

const shown = rows.filter((row) => !isElsewhere(row) && !isUsual(row));
/** Every eighth fault, and part of the other choices. */
const changing = [
  ...everyNth(
    shown.filter(({ choice }) => choice.params === undefined),
    8,
  ),
  ...everyNth(
    shown.filter(({ choice }) => choice.params !== undefined),
    24,
  ),
];

test.each(changing)("$text changes answers, and the journal says so", { tags: "more" }, async ({ choice, fault }) => {
  const isShared = !needsSharingOff(fault);
  const part = partOf(fault);
  const usual = plain.get(isShared ? part : "unshared") ?? nothing;
  const faulty = await flow({ fault: settings[fault.id] ?? choice, sharing: isShared, part, usual });
  expect(faulty.applied).toBeGreaterThan(0);
  expect(faulty.steps.map(shownStep)).not.toEqual(usual.steps.slice(0, faulty.steps.length).map(shownStep));
});
