import { searchParameters } from "@assay/contract";
import type { PortContext } from "../service/ports.ts";
import { readFilterValues } from "../service/query/edit-filters.ts";
import { isParameterSet, readQuery } from "./parameter-transforms.ts";

/** Limits a fault to some searches, so that it shows only when two things meet. */
type Condition = (context: PortContext) => boolean;

const setsFilter =
  (name: string): Condition =>
  (context) =>
    readFilterValues(readQuery(context), name).length > 0;

const parameterConditions: readonly (readonly [string, Condition])[] = searchParameters
  .filter((name) => name !== "q")
  .map((name) => [name, (context) => isParameterSet(context, name)]);

const conditions: ReadonlyMap<string, Condition> = new Map([
  ...parameterConditions,
  ["count", setsFilter("count")],
  ["type", setsFilter("type")],
  ["patterntype", setsFilter("patterntype")],
  ["plus-sign", (context) => readQuery(context).includes("+")],
  ["reused-connection", ({ isConnectionReused }) => isConnectionReused],
]);

/** The setting of every fault of searches that limits it to some of them. */
export const conditionSetting = "with";

/** Values of the setting: names of parameters and filters that a search must set, or what its connection must have carried. */
export const conditionNames: readonly string[] = [...conditions.keys()];

/** Reports whether a search meets a condition. Every search meets an absent one. */
export const meetsCondition = (name: unknown, context: PortContext): boolean =>
  conditions.get(String(name))?.(context) ?? true;
