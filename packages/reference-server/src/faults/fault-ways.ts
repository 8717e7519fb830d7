import type { FaultParameter, FaultRun } from "./fault.ts";

/** Several ways to do the same harm, by name; the first is the one that is taken unless told otherwise. */
export type Ways<Way> = Readonly<Record<string, Way>>;

/** The parameter `how` that chooses among ways. */
export const howParameter = (ways: Ways<unknown>): Readonly<Record<"how", FaultParameter>> => {
  const choices = Object.keys(ways);
  return { how: { title: "in which way", default: choices[0] ?? "", choices } };
};

/** The way that was chosen. The parameter was checked against the same names when the server started. */
export const chosenWay = <Way>(ways: Ways<Way>, { values }: FaultRun): Way | undefined => {
  const name = String(values["how"]);
  return Object.hasOwn(ways, name) ? ways[name] : undefined;
};
