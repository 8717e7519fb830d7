import type { SelectedPart } from "./search-query.ts";

const parts: Readonly<Record<string, SelectedPart>> = {
  repo: { kind: "repo" },
  file: { kind: "file" },
  content: { kind: "content" },
  symbol: { kind: "symbol" },
  commit: { kind: "commit" },
  "commit.diff": { kind: "diff" },
};

const symbolValue =
  /^symbol\.(?<kind>class|constant|enum|function|interface|method|module|struct|type-parameter|variable)$/u;

/** The part that a value of `select:` names; `undefined` for values that are not known. */
export const readSelect = (value: string): SelectedPart | undefined => {
  const name = value.toLowerCase();
  const kind = symbolValue.exec(name)?.groups?.["kind"];
  if (kind !== undefined) {
    return { kind: "symbol", symbolKind: kind.replaceAll("-", "") };
  }
  return Object.hasOwn(parts, name) ? parts[name] : undefined;
};
