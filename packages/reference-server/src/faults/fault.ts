import { defined } from "@assay/contract";
import type { AccessMode } from "../service/access.ts";
import type { CannedAnswer, SearchPorts, StreamChunk } from "../service/ports.ts";
import type { Frame } from "../service/stream/frame.ts";
import type { At, ConversationEffect } from "./conversation-effect.ts";
import type { FaultRun } from "./fault-run.ts";

/** Where a fault takes hold, and what it does there. Of all layers but `conversation` only searches take notice. */
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
      /** Another head for the stream; with a `content-encoding` of its own the bytes go out as they are. */
      readonly head?: At<SearchPorts["head"]>;
    }
  | ConversationEffect;

/** An effect at one layer. */
export type EffectAt<Layer extends FaultEffect["layer"]> = Extract<FaultEffect, { readonly layer: Layer }>;

/** A setting of a fault. A number is a whole number from 0; a text with choices takes only these. */
export type FaultParameter =
  | { readonly title: string; readonly default: number }
  | { readonly title: string; readonly default: string; readonly choices: readonly string[] };

export type FaultParameters = Readonly<Record<string, FaultParameter>>;

/** The settings of a fault by name, checked and complete. */
export type FaultValues = Readonly<Record<string, string | number>>;

/** Effects that depend on settings. */
interface SetEffects {
  readonly parameters: FaultParameters;
  readonly effects: (values: FaultValues) => readonly FaultEffect[];
}

/** What a fault does: at one layer, at several of them, or as its settings say. */
export type FaultEffects = FaultEffect | SetEffects | readonly FaultEffects[];

/** A way for the server to misbehave. The layer of its first effect is called its own. */
export interface Fault extends SetEffects {
  readonly id: string;
  /** What the server then does: one sentence. */
  readonly description: string;
  /**
   * `violation` breaks a rule; `observation` does what a rule permits and takes note of, such as to send a value nobody saw
   * before; `transport` breaks the exchange below the stream; `legal` only looks odd and must not make any rule speak.
   */
  readonly kind: "violation" | "note" | "transport" | "legal";
  /** Id of the one rule that should speak; absent for `transport` and `legal`. */
  readonly attacks?: string;
  /** The access mode in which the fault can be seen; the server takes it unless told otherwise. */
  readonly access?: AccessMode;
}

const isList = (effects: FaultEffects): effects is readonly FaultEffects[] => Array.isArray(effects);

/** The same effects in the one form in which they depend on settings. */
const setEffects = (given: FaultEffects): SetEffects => {
  if (isList(given)) {
    const all = given.map((each) => setEffects(each));
    return {
      parameters: Object.assign({}, ...all.map(({ parameters }) => parameters)),
      effects: (values) => all.flatMap(({ effects }) => effects(values)),
    };
  }
  return "effects" in given ? given : { parameters: {}, effects: () => [given] };
};

/** What the server then does, in words and in fact; in one access mode, if it shows only there. */
type Row = (description: string, does: FaultEffects, access?: AccessMode) => Fault;

const row =
  (names: Pick<Fault, "id" | "kind" | "attacks">): Row =>
  (description, does, access) => ({ ...names, description, ...setEffects(does), ...defined({ access }) });

/** A fault that breaks the rule that it attacks. */
export const violating = (attacks: string, id: string): Row => row({ id, kind: "violation", attacks });

/** Something that a rule permits and takes note of. */
export const observing = (attacks: string, id: string): Row => row({ id, kind: "note", attacks });

/** A fault of the exchange that carries an answer: it ends otherwise than it should, or is none with the service. */
export const disrupting = (id: string): Row => row({ id, kind: "transport" });

/** What only looks odd: the documents permit it, or leave it open. */
export const legal = (id: string): Row => row({ id, kind: "legal" });

/** An effect on the bytes of a stream, which are sent otherwise. */
export const sending = (apply: EffectAt<"bytes">["apply"]): EffectAt<"bytes"> => ({ layer: "bytes", apply });

/** What settings have by default. */
export const defaultValues = (parameters: FaultParameters): FaultValues =>
  Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, parameter.default]));

type ValueOf<Parameter> = Parameter extends { readonly choices: readonly (infer Choice)[] } ? Choice : number;
type ValuesOf<Parameters> = { readonly [Name in keyof Parameters]: ValueOf<Parameters[Name]> };

const areFor = <Parameters extends FaultParameters>(
  values: FaultValues,
  parameters: Parameters,
): values is FaultValues & ValuesOf<Parameters> =>
  Object.entries(parameters).every(([name, parameter]) => typeof values[name] === typeof parameter.default);

/** Effects that are made of the values of settings. */
export const settable = <const Parameters extends FaultParameters>(
  parameters: Parameters,
  effectsOf: (values: ValuesOf<Parameters>) => FaultEffects,
): SetEffects => {
  const made = (values: FaultValues): SetEffects => setEffects(areFor(values, parameters) ? effectsOf(values) : []);
  return {
    parameters: { ...parameters, ...made(defaultValues(parameters)).parameters },
    effects: (values) => made(values).effects(values),
  };
};

/** Several variants of the same fault, by name; the first is the one that is taken unless told otherwise. */
export type Variants<Variant> = Readonly<Record<string, Variant>>;

/** A setting that takes one of some texts, the first of them unless told otherwise. */
export const choice = <Name extends string>(title: string, ...names: readonly Name[]) => ({
  title,
  default: names[0] ?? "",
  choices: [...new Set(names)],
});

/** Effects that are made of the variant that a parameter chooses: `how` unless another name and title are given. */
export const oneOf = <Variant>(
  variants: Variants<Variant>,
  effectsOf: (variant: Variant, name: string) => FaultEffects,
  [parameter, title]: readonly [name: string, title: string] = ["how", "in which way"],
): SetEffects =>
  settable({ [parameter]: choice(title, ...Object.keys(variants)) }, (values) =>
    Object.entries(variants)
      .filter(([name]) => name === values[parameter])
      .map(([name, variant]) => effectsOf(variant, name)),
  );

/** The effects that the parameter `how` chooses. */
export const oneEffectOf = (variants: Variants<FaultEffects>): SetEffects => oneOf(variants, (effects) => effects);
