import { currentProcedures } from "@assay/contract";
import type { OperationName } from "@assay/contract";
import type { DescribedInterface } from "./api-description.ts";

/** The interface and name of an operation. Without a name, it is an unknown operation of the interface. */
export interface OperationPlace {
  readonly interface: DescribedInterface;
  readonly operation?: OperationName;
}

/** Maximum number of characters compared at the end of a path. */
const maxPathLength = 2_000;
const maxSteps = 20;

/**
 * Returns the interface and name of the operation at a path with a method (in upper case), or undefined outside the interfaces. Paths may
 * have a prefix and a trailing slash. Parameters may have any name. Source: search-stream, section 4; conversation-api, section 4.
 */
export const findOperationPlace = (path: string, method: string): OperationPlace | undefined => {
  const steps = path
    .slice(-maxPathLength)
    .split("/")
    .filter((step) => step !== "")
    .slice(-maxSteps);
  return findStreamPlace(steps, method) ?? findCurrentPlace(steps, method) ?? findLegacyPlace(steps, method);
};

const endsWith = (steps: readonly string[], end: readonly string[]): boolean =>
  steps.length >= end.length && end.every((step, index) => steps[steps.length - end.length + index] === step);

const createPlace = (name: DescribedInterface, operation: OperationName | undefined): OperationPlace =>
  operation === undefined ? { interface: name } : { interface: name, operation };

const findStreamPlace = (steps: readonly string[], method: string): OperationPlace | undefined =>
  endsWith(steps, [".api", "search", "stream"])
    ? createPlace("stream", method === "GET" ? "search" : undefined)
    : undefined;

const procedures: ReadonlyMap<string, OperationName> = new Map([
  [currentProcedures.create, "create"],
  [currentProcedures.get, "get"],
  [currentProcedures.list, "list"],
  [currentProcedures["follow-up"], "follow-up"],
  [currentProcedures.cancel, "cancel"],
  [currentProcedures.delete, "delete"],
]);

const findCurrentPlace = (steps: readonly string[], method: string): OperationPlace | undefined =>
  steps.at(-2) === "deepsearch.v1.Service"
    ? createPlace("current", method === "POST" ? procedures.get(steps.at(-1) ?? "") : undefined)
    : undefined;

/** Names of the legacy operations, by method and the path after the base path. `*` represents a parameter. */
const legacyOperations: ReadonlyMap<string, OperationName> = new Map([
  ["POST ", "create"],
  ["GET ", "list"],
  ["GET *", "get"],
  ["DELETE *", "delete"],
  ["POST */questions", "follow-up"],
  ["POST */questions/*/cancel", "cancel"],
]);

const findLegacyPlace = (steps: readonly string[], method: string): OperationPlace | undefined => {
  const start = steps.findIndex((_, index) => endsWith(steps.slice(0, index + 1), [".api", "deepsearch", "v1"]));
  if (start < 0) {
    return undefined;
  }
  const rest = steps.slice(start + 1, start + 6).map((step) => (isParameter(step) ? "*" : step));
  return createPlace("legacy", legacyOperations.get(`${method} ${rest.join("/")}`));
};

const isParameter = (step: string): boolean => step.startsWith("{") && step.endsWith("}");
