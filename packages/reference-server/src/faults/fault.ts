import { defined } from "@assay/contract";
import type { AccessMode } from "../service/access.ts";
import type { CannedAnswer, SearchPorts, StreamChunk } from "../service/ports.ts";
import type { Frame } from "../service/stream/frame.ts";
import type { At, ConversationEffect } from "./conversation-effect.ts";
import type { FaultRun } from "./fault-run.ts";

/** An effect of a fault at one layer. Only `conversation` acts on conversations; all other layers act on searches. */
export type FaultEffect =
  | { readonly layer: "answer"; readonly apply: (run: FaultRun) => CannedAnswer | "reset" }
  | { readonly layer: "access"; readonly apply: At<SearchPorts["access"]> }
  | { readonly layer: "parameters"; readonly apply: At<SearchPorts["parameters"]> }
  | { readonly layer: "index"; readonly apply: At<SearchPorts["repositories"]> }
  | { readonly layer: "events"; readonly apply: At<SearchPorts["events"]> }
  | { readonly layer: "frames"; readonly apply: (frames: AsyncIterable<Frame>, run: FaultRun) => AsyncIterable<Frame> }
  | {
      readonly layer: "bytes";
      readonly apply: (chunks: AsyncIterable<Buffer>, run: FaultRun) => AsyncIterable<StreamChunk>;
      /** Replaces the head of the stream. If it sets `content-encoding`, the bytes are sent unchanged. */
      readonly head?: At<SearchPorts["head"]>;
    }
  | ConversationEffect;

/** An effect at one layer. */
export type EffectAt<Layer extends FaultEffect["layer"]> = Extract<FaultEffect, { readonly layer: Layer }>;

/** A setting of a fault: a whole number, 0 or more, or a string, possibly limited to a list of choices. */
export type FaultParameter =
  | { readonly title: string; readonly default: number }
  | { readonly title: string; readonly default: string; readonly choices: readonly string[] };

export type FaultParameters = Readonly<Record<string, FaultParameter>>;

/** Validated values of all settings, by name. */
export type FaultValues = Readonly<Record<string, string | number>>;

/** Effects that depend on settings. */
interface ConfigurableEffects {
  readonly parameters: FaultParameters;
  readonly effects: (values: FaultValues) => readonly FaultEffect[];
}

/** The effects of a fault: one, several, or a function of its settings. */
export type FaultEffects = FaultEffect | ConfigurableEffects | readonly FaultEffects[];

/** A misbehaviour of the server. Its first effect determines its layer. */
export interface Fault extends ConfigurableEffects {
  readonly id: string;
  /** One sentence that describes the misbehaviour. */
  readonly description: string;
  /**
   * `violation` violates a rule. `note` is behaviour that a rule permits and records as a note, such as an unknown value. `transport`
   * breaks the exchange below the stream. `legal` is unusual, but no rule may fail on it.
   */
  readonly kind: "violation" | "note" | "transport" | "legal";
  /** Id of the rule that should fail. Absent for `transport` and `legal`. */
  readonly attacks?: string;
  /** The access mode in which the fault has an effect. It is the default of a server with this fault. */
  readonly access?: AccessMode;
}

const isList = (effects: FaultEffects): effects is readonly FaultEffects[] => Array.isArray(effects);

/** Normalizes effects to the form that depends on settings. */
const toConfigurableEffects = (faultEffects: FaultEffects): ConfigurableEffects => {
  if (isList(faultEffects)) {
    const effectSets = faultEffects.map((effect) => toConfigurableEffects(effect));
    return {
      parameters: Object.assign({}, ...effectSets.map(({ parameters }) => parameters)),
      effects: (values) => effectSets.flatMap(({ effects }) => effects(values)),
    };
  }
  return "effects" in faultEffects ? faultEffects : { parameters: {}, effects: () => [faultEffects] };
};

/** Builds a fault from its description and effects, and from the access mode if the fault has an effect in only one. */
type FaultBuilder = (description: string, effects: FaultEffects, access?: AccessMode) => Fault;

const createFaultBuilder =
  (names: Pick<Fault, "id" | "kind" | "attacks">): FaultBuilder =>
  (description, effects, access) => ({
    ...names,
    description,
    ...toConfigurableEffects(effects),
    ...defined({ access }),
  });

/** Creates a fault that violates a rule. */
export const defineViolation = (attacks: string, id: string): FaultBuilder =>
  createFaultBuilder({ id, kind: "violation", attacks });

/** Creates a fault that a rule permits and records as a note. */
export const defineNote = (attacks: string, id: string): FaultBuilder =>
  createFaultBuilder({ id, kind: "note", attacks });

/** Creates a fault below the stream: the exchange ends early, or the response does not come from the service. */
export const defineDisruption = (id: string): FaultBuilder => createFaultBuilder({ id, kind: "transport" });

/** Creates unusual behaviour that the specification permits or does not mention. */
export const defineLegalVariation = (id: string): FaultBuilder => createFaultBuilder({ id, kind: "legal" });

/** Creates an effect that changes how the bytes of a stream are sent. */
export const changeBytes = (apply: EffectAt<"bytes">["apply"]): EffectAt<"bytes"> => ({ layer: "bytes", apply });

/** Returns the default values of the settings. */
export const defaultValues = (parameters: FaultParameters): FaultValues =>
  Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, parameter.default]));

type ValueOf<Parameter> = Parameter extends { readonly choices: readonly (infer Choice)[] } ? Choice : number;
type ValuesOf<Parameters> = { readonly [Name in keyof Parameters]: ValueOf<Parameters[Name]> };

const areValuesOf = <Parameters extends FaultParameters>(
  values: FaultValues,
  parameters: Parameters,
): values is FaultValues & ValuesOf<Parameters> =>
  Object.entries(parameters).every(([name, parameter]) => typeof values[name] === typeof parameter.default);

/** Creates effects that depend on settings. */
export const withSettings = <const Parameters extends FaultParameters>(
  parameters: Parameters,
  effectsOf: (values: ValuesOf<Parameters>) => FaultEffects,
): ConfigurableEffects => {
  const createEffects = (values: FaultValues): ConfigurableEffects =>
    toConfigurableEffects(areValuesOf(values, parameters) ? effectsOf(values) : []);
  return {
    parameters: { ...parameters, ...createEffects(defaultValues(parameters)).parameters },
    effects: (values) => createEffects(values).effects(values),
  };
};

/** Variants of a fault by name. The first is the default. */
export type Variants<Variant> = Readonly<Record<string, Variant>>;

/** Creates a setting with a list of choices. The first is the default. */
export const choice = <Name extends string>(title: string, ...names: readonly Name[]) => ({
  title,
  default: names[0] ?? "",
  choices: [...new Set(names)],
});

/** Creates effects of the variant that a setting selects. The setting is named `how` unless `parameter` is passed. */
export const selectVariant = <Variant>(
  variants: Variants<Variant>,
  effectsOf: (variant: Variant, name: string) => FaultEffects,
  [parameter, title]: readonly [name: string, title: string] = ["how", "which variant"],
): ConfigurableEffects =>
  withSettings({ [parameter]: choice(title, ...Object.keys(variants)) }, (values) =>
    Object.entries(variants)
      .filter(([name]) => name === values[parameter])
      .map(([name, variant]) => effectsOf(variant, name)),
  );

/** Selects one of several effects by the setting `how`. */
export const selectEffect = (variants: Variants<FaultEffects>): ConfigurableEffects =>
  selectVariant(variants, (effects) => effects);
