import { closestName } from "@assay/contract";
import { ServerStartError } from "../server-start-error.ts";
import { arrivalFaults } from "./arrival-faults.ts";
import { chunkFaults } from "./chunk-faults.ts";
import { clientFaults } from "./client-faults.ts";
import { contentFaults } from "./content-faults.ts";
import { contextFaults } from "./context-faults.ts";
import { conversationFaults } from "./conversation/conversation-faults.ts";
import { countFaults } from "./count-faults.ts";
import { displayFaults } from "./display-faults.ts";
import { endingFaults } from "./ending-faults.ts";
import type { Fault, FaultParameter } from "./fault.ts";
import { fieldFaults } from "./field-faults.ts";
import { filterFaults } from "./filter-faults.ts";
import { framingFaults } from "./framing-faults.ts";
import { frontFaults } from "./front-faults.ts";
import { legalChunks } from "./legal-chunks.ts";
import { legalVariations } from "./legal-variations.ts";
import { matchFaults } from "./match-faults.ts";
import { memberFaults } from "./member-faults.ts";
import { paceFaults } from "./pace-faults.ts";
import { patternFaults } from "./pattern-faults.ts";
import { payloadFaults } from "./payload-faults.ts";
import { problemFaults } from "./problem-faults.ts";
import { progressFaults } from "./progress-faults.ts";
import { proxyFaults } from "./proxy-faults.ts";
import { requestFaults } from "./request-faults.ts";
import { suggestionFaults } from "./suggestion-faults.ts";
import { transportFaults } from "./transport-faults.ts";

/** Every fault and legal variation, each with an id of its own. */
export const faults: readonly Fault[] = [
  ...fieldFaults,
  ...framingFaults,
  ...endingFaults,
  ...matchFaults,
  ...contentFaults,
  ...payloadFaults,
  ...memberFaults,
  ...filterFaults,
  ...progressFaults,
  ...requestFaults,
  ...displayFaults,
  ...countFaults,
  ...suggestionFaults,
  ...chunkFaults,
  ...contextFaults,
  ...patternFaults,
  ...problemFaults,
  ...arrivalFaults,
  ...transportFaults,
  ...proxyFaults,
  ...frontFaults,
  ...paceFaults,
  ...legalVariations,
  ...legalChunks,
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
  readonly title: string;
  readonly description: string;
  readonly kind: Fault["kind"];
  readonly layer: Fault["layer"];
  /** Id of the rule that should speak, where there is one. */
  readonly attacks?: string;
  readonly parameters: Readonly<Record<string, FaultParameter>>;
  /** Access mode in which the fault shows, where it matters. */
  readonly access?: "private" | "public";
}

/** All faults, for showing and for the kill matrix; in the order of the registry. */
export const listFaults = (): readonly FaultSummary[] =>
  faults.map(({ access, attacks, description, id, kind, layer, parameters = {}, title }) => ({
    id,
    title,
    description,
    kind,
    layer,
    parameters,
    ...(attacks === undefined ? {} : { attacks }),
    ...(access === undefined ? {} : { access }),
  }));

/** A fault that a server was started with. */
export interface ActiveFault {
  readonly fault: Fault;
  readonly values: Readonly<Record<string, string | number>>;
}

const readNumber = (given: string | number): number | undefined => {
  const number = typeof given === "number" ? given : /^\d+$/u.test(given) ? Number(given) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

const readValue = (parameter: FaultParameter, given: string | number): string | number | undefined =>
  "choices" in parameter ? parameter.choices.find((choice) => choice === String(given)) : readNumber(given);

const checkedValue = (fault: Fault, name: string, given: string | number): string | number => {
  const parameters = fault.parameters ?? {};
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter === undefined) {
    const names = Object.keys(parameters).join(", ");
    throw new ServerStartError(
      "unknown-fault-parameter",
      `the fault ${fault.id} has no parameter ${JSON.stringify(name)}; ${names === "" ? "it takes none" : `it takes ${names}`}.`,
    );
  }
  const value = readValue(parameter, given);
  if (value === undefined) {
    const expected = "choices" in parameter ? `one of ${parameter.choices.join(", ")}` : "a whole number from 0";
    throw new ServerStartError(
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
    throw new ServerStartError(
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
  const defaults = Object.entries(fault.parameters ?? {}).map(
    ([name, parameter]) => [name, parameter.default] as const,
  );
  const given = Object.entries(params).map(([name, value]) => [name, checkedValue(fault, name, value)] as const);
  return { fault, values: Object.fromEntries([...defaults, ...given]) };
};
