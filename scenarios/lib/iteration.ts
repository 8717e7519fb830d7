import type { LoadSide } from "@assay/contract";
import type { LoadPlan, LoadQuery } from "@assay/results";
import type { Arrivals, LoadFlow } from "./arrivals.ts";
import { findSlot } from "./blocks.ts";

/** The members that all samples of one arrival share. */
export interface Iteration {
  readonly flow: string;
  readonly phase: "warmup" | "measure";
  readonly side: LoadSide;
  readonly block?: number;
  readonly pair?: number;
  readonly query: string;
  /** Planned time, in milliseconds of the run clock. */
  readonly planMs: number;
}

/** An arrival and its query. */
export interface Task {
  readonly iteration: Iteration;
  readonly asked: LoadQuery;
  /** Base address of the target. */
  readonly target: string;
  /** Number of this arrival in the flow, from 0, warm-up included. */
  readonly number: number;
}

/** The running k6 scenario and the index of this arrival in it, from 0. Dropped arrivals count. */
export interface Arrival {
  readonly scenario: string;
  readonly index: number;
  /** Start of the scenario, in milliseconds of the run clock. */
  readonly startMs: number;
}

const nothingAsked: LoadQuery = { name: "none", text: "" };

const selectQueries = (plan: LoadPlan, { name }: LoadFlow): readonly LoadQuery[] =>
  name === "search" ? plan.queries : (plan.conversation?.questions ?? []);

interface Flow {
  readonly plan: LoadPlan;
  readonly flow: LoadFlow;
  readonly arrivals: readonly Arrivals[];
}

function pairedTask({ plan, flow }: Flow, planMs: number, index: number): Task | undefined {
  const list = selectQueries(plan, flow);
  const slot = plan.blocks === undefined ? undefined : findSlot(plan.blocks, list.length, index);
  if (slot === undefined) {
    return undefined;
  }
  const { phase, side, block, pair } = slot;
  const asked = list[slot.query] ?? nothingAsked;
  return {
    iteration: { flow: flow.name, phase, side, block, pair, query: asked.name, planMs },
    asked,
    target: plan.targets[side] ?? plan.targets.base,
    number: index,
  };
}

/** The task of an arrival. Undefined in a gap between blocks, where nothing is sent. */
export function createTask(whole: Flow, { scenario, index, startMs }: Arrival): Task | undefined {
  const { plan, flow, arrivals } = whole;
  const mine = arrivals.find(({ name }) => name === scenario);
  if (mine === undefined) {
    throw new Error(`there is no scenario ${scenario}`);
  }
  const planMs = startMs + mine.timeOf(index);
  if (plan.blocks !== undefined) {
    return pairedTask(whole, planMs, index);
  }
  const list = selectQueries(plan, flow);
  const asked = list[index % list.length] ?? nothingAsked;
  const before = mine.phase === "warmup" ? 0 : (arrivals.find(({ phase }) => phase === "warmup")?.count ?? 0);
  return {
    iteration: { flow: flow.name, phase: mine.phase, side: "base", query: asked.name, planMs },
    asked,
    target: plan.targets.base,
    number: before + index,
  };
}
