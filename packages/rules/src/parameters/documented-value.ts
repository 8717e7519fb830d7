import { patternTypes } from "@assay/contract";
import type { SearchParameter } from "@assay/contract";

/** A number, or -1 for none; what other negative numbers mean is left open. */
const limit = /^(?:-1|\d{1,9})$/u;
const flag = /^(?:true|false)$/u;
const patterns: readonly string[] = patternTypes;

/** Which values the document shows for each parameter besides `q`. Source: search-stream, section 4. */
const shows: Readonly<Record<Exclude<SearchParameter, "q">, (value: string) => boolean>> = {
  v: (value) => value === "V3",
  t: (value) => patterns.includes(value),
  "max-line-len": (value) => limit.test(value),
  cm: (value) => flag.test(value),
  display: (value) => limit.test(value),
  cl: (value) => /^\d{1,9}$/u.test(value),
};

const isDocumented = (name: string): name is keyof typeof shows => Object.hasOwn(shows, name);

/** Whether a search sets documented parameters only, all of them to documented values, and at least one besides `q`. */
export function hasDocumentedParameters(query: URLSearchParams): boolean {
  const others = [...query].filter(([name]) => name !== "q");
  return others.length > 0 && others.every(([name, value]) => isDocumented(name) && shows[name](value));
}
