import { HarnessError, closestName, defined } from "@assay/contract";
import { accessFaults } from "./access-faults.ts";
import { clientFaults } from "./client-faults.ts";
import { conversationFaults } from "./conversation/conversation-faults.ts";
import {
  defaultValues,
  type Fault,
  type FaultEffect,
  type FaultParameter,
  type FaultParameters,
  type FaultValues,
} from "./fault.ts";
import { framingFaults } from "./framing-faults.ts";
import { frontFaults } from "./front-faults.ts";
import { legalChunks } from "./legal-chunks.ts";
import { legalIndex } from "./legal-index.ts";
import { legalVariations } from "./legal-variations.ts";
import { observedFaults } from "./observed-faults.ts";
import { orderArrivalFaults } from "./order-arrival-faults.ts";
import { orderFaults } from "./order-faults.ts";
import { orderProblemFaults } from "./order-problem-faults.ts";
import { paceFaults } from "./pace-faults.ts";
import { chunkFaults } from "./parameters-chunk-faults.ts";
import { parameterFaults } from "./parameters-faults.ts";
import { limitFaults } from "./parameters-limit-faults.ts";
import { patternFaults } from "./parameters-pattern-faults.ts";
import { proxyFaults } from "./proxy-faults.ts";
import { schemaFaults } from "./schema-faults.ts";
import { schemaMemberFaults } from "./schema-member-faults.ts";
import { transportFaults } from "./transport-faults.ts";

/**
 * Every fault and legal variation, each with an id of its own: the tables, by the chapter of the rule that they attack, then
 * what is below the stream or breaks nothing. A new fault is a row in one of them.
 */
export const faults: readonly Fault[] = [
  ...framingFaults,
  ...schemaFaults,
  ...observedFaults,
  ...schemaMemberFaults,
  ...orderFaults,
  ...accessFaults,
  ...parameterFaults,
  ...limitFaults,
  ...chunkFaults,
  ...patternFaults,
  ...orderProblemFaults,
  ...orderArrivalFaults,
  ...transportFaults,
  ...proxyFaults,
  ...frontFaults,
  ...paceFaults,
  ...legalVariations,
  ...legalChunks,
  ...legalIndex,
  ...conversationFaults,
  ...clientFaults,
];

/** Id of a fault, for example `third-field`. Checked when the server starts, because it usually comes from a person. */
export type FaultId = string;

/** A fault with settings; those not given keep their defaults. */
export interface FaultChoice {
  readonly id: FaultId;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** What a list of faults shows. */
export interface FaultSummary {
  readonly id: FaultId;
  /** What the server then does: one sentence. */
  readonly description: string;
  readonly kind: Fault["kind"];
  readonly layer: FaultEffect["layer"];
  /** Id of the rule that should speak, where there is one. */
  readonly attacks?: string;
  readonly parameters: FaultParameters;
  /** Access mode in which the fault shows, where it matters. */
  readonly access?: "private" | "public";
}

/** All faults, for showing and for the kill matrix; in the order of the registry. */
export const listFaults = (): readonly FaultSummary[] =>
  faults.flatMap(({ access, attacks, description, effects, id, kind, parameters }) =>
    effects(defaultValues(parameters))
      .slice(0, 1)
      .map(({ layer }) => ({ id, description, kind, layer, parameters, ...defined({ attacks, access }) })),
  );

/** A fault that a server was started with. */
export interface ActiveFault {
  readonly fault: Fault;
  readonly values: FaultValues;
}

const readNumber = (given: string | number): number | undefined => {
  const number = typeof given === "number" ? given : /^\d+$/u.test(given) ? Number(given) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

const readValue = (parameter: FaultParameter, given: string | number): string | number | undefined =>
  "choices" in parameter ? parameter.choices.find((choice) => choice === String(given)) : readNumber(given);

const checkedValue = (fault: Fault, name: string, given: string | number): string | number => {
  const { parameters } = fault;
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter === undefined) {
    const names = Object.keys(parameters).join(", ");
    throw new HarnessError(
      "unknown-fault-parameter",
      `the fault ${fault.id} has no parameter ${JSON.stringify(name)}; ${names === "" ? "it takes none" : `it takes ${names}`}.`,
    );
  }
  const value = readValue(parameter, given);
  if (value === undefined) {
    const expected = "choices" in parameter ? `one of ${parameter.choices.join(", ")}` : "a whole number from 0";
    throw new HarnessError(
      "invalid-fault-parameter",
      `the parameter ${name} of the fault ${fault.id} cannot be ${JSON.stringify(given)}; it takes ${expected}.`,
    );
  }
  return value;
};

const faultById = (id: FaultId): Fault => {
  const found = faults.find((fault) => fault.id === id);
  if (found === undefined) {
    const nearest =
      closestName(
        id,
        faults.map((fault) => fault.id),
      ) ?? "";
    throw new HarnessError(
      "unknown-fault",
      `there is no fault ${JSON.stringify(id)}; the nearest is "${nearest}", and the list of faults has all of them.`,
    );
  }
  return found;
};

/**
 * The fault that was asked for, its settings checked and filled up. Fails with `unknown-fault`, `unknown-fault-parameter` or
 * `invalid-fault-parameter`.
 */
export const chooseFault = (choice: FaultId | FaultChoice): ActiveFault => {
  const { id, params = {} } = typeof choice === "string" ? { id: choice } : choice;
  const fault = faultById(id);
  const given = Object.entries(params).map(([name, value]) => [name, checkedValue(fault, name, value)] as const);
  return { fault, values: { ...defaultValues(fault.parameters), ...Object.fromEntries(given) } };
};
