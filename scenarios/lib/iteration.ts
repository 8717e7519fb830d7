import type { LoadSide } from "@assay/contract";
import type { LoadPlan, LoadQuery } from "@assay/results";
import type { Arrivals, LoadFlow } from "./arrivals.ts";
import { blockSlot } from "./blocks.ts";

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
  /** Base URL of the target. */
  readonly target: string;
  /** Number of this arrival in the flow, from 0, warm-up included. */
  readonly number: number;
}

/** The running k6 scenario and the index of this arrival in it, from 0. The index includes dropped arrivals. */
export interface Arrival {
  readonly scenario: string;
  readonly index: number;
  /** Start of the scenario, in milliseconds of the run clock. */
  readonly startMs: number;
}

const noQuery: LoadQuery = { name: "none", text: "" };

const selectQueries = (plan: LoadPlan, { name }: LoadFlow): readonly LoadQuery[] =>
  name === "search" ? plan.queries : (plan.conversation?.questions ?? []);

interface FlowContext {
  readonly plan: LoadPlan;
  readonly flow: LoadFlow;
  readonly arrivals: readonly Arrivals[];
}

function createPairedTask({ plan, flow }: FlowContext, planMs: number, index: number): Task | undefined {
  const queries = selectQueries(plan, flow);
  const slot = plan.blocks === undefined ? undefined : blockSlot(plan.blocks, queries.length, index);
  if (slot === undefined) {
    return undefined;
  }
  const { phase, side, block, pair } = slot;
  const asked = queries[slot.query] ?? noQuery;
  return {
    iteration: { flow: flow.name, phase, side, block, pair, query: asked.name, planMs },
    asked,
    target: plan.targets[side] ?? plan.targets.base,
    number: index,
  };
}

/** Returns the task of an arrival. Undefined in a gap between blocks, where nothing is sent. */
export function taskOf(context: FlowContext, { scenario, index, startMs }: Arrival): Task | undefined {
  const { plan, flow, arrivals } = context;
  const scenarioArrivals = arrivals.find(({ name }) => name === scenario);
  if (scenarioArrivals === undefined) {
    throw new Error(`there is no scenario ${scenario}`);
  }
  const planMs = startMs + scenarioArrivals.timeOf(index);
  if (plan.blocks !== undefined) {
    return createPairedTask(context, planMs, index);
  }
  const queries = selectQueries(plan, flow);
  const asked = queries[index % queries.length] ?? noQuery;
  const warmupCount =
    scenarioArrivals.phase === "warmup" ? 0 : (arrivals.find(({ phase }) => phase === "warmup")?.count ?? 0);
  return {
    iteration: { flow: flow.name, phase: scenarioArrivals.phase, side: "base", query: asked.name, planMs },
    asked,
    target: plan.targets.base,
    number: warmupCount + index,
  };
}
