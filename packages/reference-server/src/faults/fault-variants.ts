import type { FaultParameter } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

/** Several variants of the same fault, by name; the first is the one that is taken unless told otherwise. */
export type Variants<Variant> = Readonly<Record<string, Variant>>;

/** The parameter `how` that chooses among variants. */
export const howParameter = (variants: Variants<unknown>): Readonly<Record<"how", FaultParameter>> => {
  const choices = Object.keys(variants);
  return { how: { title: "in which way", default: choices[0] ?? "", choices } };
};

/** The variant that was chosen. The parameter was checked against the same names when the server started. */
export const variantOf = <Variant>(variants: Variants<Variant>, { values }: FaultRun): Variant | undefined => {
  const name = String(values["how"]);
  return Object.hasOwn(variants, name) ? variants[name] : undefined;
};
