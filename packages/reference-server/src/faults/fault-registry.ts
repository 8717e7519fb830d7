import { HarnessError, closestName } from "@assay/contract";
import { accessFaults } from "./access-faults.ts";
import { chunkFaults } from "./chunk-faults.ts";
import { conversationFaults } from "./conversation/conversation-faults.ts";
import { conditionNames, conditionSetting } from "./condition.ts";
import {
  type Fault,
  type FaultEffect,
  type FaultParameter,
  type FaultParameters,
  type FaultValues,
  defaultValues,
} from "./fault.ts";
import { framingFaults } from "./framing-faults.ts";
import { legalVariations } from "./legal-variations.ts";
import { orderFaults } from "./order-faults.ts";
import { paceFaults } from "./pace-faults.ts";
import { parameterFaults } from "./parameters-faults.ts";
import { interpretationFaults } from "./interpretation-faults.ts";
import { schemaFaults } from "./schema-faults.ts";
import { transportFaults } from "./transport-faults.ts";

/**
 * All faults and legal variations. Ids are unique. The tables follow the chapters of the rules. Transport faults and legal variations are
 * at the end. To add a fault, add a row to one of the tables.
 */
export const faults: readonly Fault[] = [
  ...framingFaults,
  ...schemaFaults,
  ...orderFaults,
  ...accessFaults,
  ...parameterFaults,
  ...interpretationFaults,
  ...chunkFaults,
  ...paceFaults,
  ...transportFaults,
  ...legalVariations,
  ...conversationFaults,
];

/** Id of a fault, such as `third-field`. Checked when the server starts, because users usually type it. */
export type FaultId = string;

/** A fault with settings. Omitted settings have their defaults. */
export interface FaultChoice {
  readonly id: FaultId;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** The description of a fault that `listFaults` returns. */
export interface FaultSummary extends Omit<Fault, "effects"> {
  readonly layer: FaultEffect["layer"];
}

/** Returns the layer of the first effect of a fault, or an empty list if it has none. */
const findLayer = ({ effects, parameters }: Fault): readonly FaultEffect["layer"][] =>
  effects(defaultValues(parameters))
    .slice(0, 1)
    .map(({ layer }) => layer);

/** Returns all faults in registry order. */
export const listFaults = (): readonly FaultSummary[] =>
  faults.flatMap((fault) => {
    const { effects: _effects, ...summary } = fault;
    return findLayer(fault).map((layer) => ({ ...summary, layer }));
  });

/** A fault of a running server. */
export interface ActiveFault {
  readonly fault: Fault;
  readonly values: FaultValues;
}

const readValue = (parameter: FaultParameter, setting: string | number): string | number | undefined => {
  if ("choices" in parameter) {
    return parameter.choices.find((choice) => choice === String(setting));
  }
  const number = /^\d+$/u.test(String(setting)) ? Number(setting) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
};

/** Returns the settings that a fault accepts: its own, and for faults of searches the condition. */
const listSettings = (fault: Fault): FaultParameters => {
  const { parameters } = fault;
  return findLayer(fault).includes("conversation")
    ? parameters
    : { ...parameters, [conditionSetting]: { title: "in which searches", default: "", choices: conditionNames } };
};

const validateValue = (fault: Fault, name: string, setting: string | number): string | number => {
  const { id } = fault;
  const parameters = listSettings(fault);
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter === undefined) {
    const names = Object.keys(parameters).join(", ");
    const hint = names === "" ? "it has no parameters" : `its parameters are ${names}`;
    throw new HarnessError(
      "unknown-fault-parameter",
      `the fault ${id} has no parameter ${JSON.stringify(name)}; ${hint}.`,
    );
  }
  const value = readValue(parameter, setting);
  if (value === undefined) {
    const expected = "choices" in parameter ? `one of ${parameter.choices.join(", ")}` : "a whole number, 0 or more";
    throw new HarnessError(
      "invalid-fault-parameter",
      `the parameter ${name} of the fault ${id} cannot be ${JSON.stringify(setting)}; expected ${expected}.`,
    );
  }
  return value;
};

const findFault = (id: FaultId): Fault => {
  const fault = faults.find((candidate) => candidate.id === id);
  if (fault === undefined) {
    const ids = faults.map((knownFault) => knownFault.id);
    throw new HarnessError(
      "unknown-fault",
      `there is no fault ${JSON.stringify(id)}; the nearest is "${closestName(id, ids) ?? ""}", and \`assay list --faults\` shows all of them.`,
    );
  }
  return fault;
};

/**
 * Returns the fault with validated settings and defaults. Throws `unknown-fault`, `unknown-fault-parameter` or
 * `invalid-fault-parameter`.
 */
export const chooseFault = (choice: FaultId | FaultChoice): ActiveFault => {
  const { id, params = {} } = typeof choice === "string" ? { id: choice } : choice;
  const fault = findFault(id);
  const entries = Object.entries(params).map(([name, value]) => [name, validateValue(fault, name, value)] as const);
  return { fault, values: { ...defaultValues(fault.parameters), ...Object.fromEntries(entries) } };
};
