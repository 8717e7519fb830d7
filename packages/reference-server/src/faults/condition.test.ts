import { describe, expect, test } from "vitest";
import { conditionNames } from "./condition.ts";
import { faultPorts } from "./fault-ports.ts";
import { chooseFault, listFaults } from "./fault-registry.ts";
import { checkParameters } from "../service/http/search-parameters.ts";

/** Reports whether `display` is ignored in a search, by a server that ignores it only under a condition. */
function ignoresDisplay(condition: string, query: string, isConnectionReused = false): boolean {
  const queryParameters = new URLSearchParams(query);
  const { search } = faultPorts([chooseFault({ id: "display-exceeded", params: { with: condition } })]).exchange({
    url: "",
    queryParameters,
    isConnectionReused,
    signal: new AbortController().signal,
    recordChange: () => undefined,
  });
  const parsed = search.parameters(checkParameters(queryParameters));
  return parsed.ok && parsed.parameters.display === undefined;
}

const examples: Readonly<Record<string, string>> = {
  v: "v=V3",
  t: "t=standard",
  cm: "cm=true",
  cl: "cl=2",
  "max-line-len": "max-line-len=20",
  display: "cm=false",
  count: "q=needle+count:all",
  type: "q=needle+type:file",
  patterntype: "q=needle+patternType:regexp",
  "plus-sign": "q=needle%2B",
};

describe("a fault under a condition", () => {
  test.each(Object.entries(examples))("acts only on searches with %s", (condition, example) => {
    const query = example.startsWith("q=") ? example : `q=needle&${example}`;
    expect(ignoresDisplay(condition, `${query}&display=3`)).toBe(true);
    expect(ignoresDisplay(condition, "q=needle&display=3")).toBe(condition === "display");
  });

  test("acts only on connections that were used before", () => {
    const query = "q=needle&display=3";
    expect([true, false].map((isReused) => ignoresDisplay("reused-connection", query, isReused))).toEqual([
      true,
      false,
    ]);
  });

  test("has an example for each condition", () => {
    expect(new Set([...Object.keys(examples), "reused-connection"])).toEqual(new Set(conditionNames));
  });

  test("is refused for faults of conversations, and with an unknown name", () => {
    expect(() => chooseFault({ id: "no-done", params: { with: "everything" } })).toThrow(/expected one of v, t, /u);
    const { id = "" } = listFaults().find(({ layer }) => layer === "conversation") ?? {};
    expect(() => chooseFault({ id, params: { with: "cm" } })).toThrow(/has no parameter "with"/u);
  });
});
