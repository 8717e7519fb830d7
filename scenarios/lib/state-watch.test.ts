import { defined } from "@assay/contract";
import { describe, expect, test } from "vitest";
import type { LoadedConversation } from "./loaded-conversation.ts";
import { type StateCode, stateWatch } from "./state-watch.ts";

const early = "2026-01-01T00:00:01.100Z";
const late = "2026-01-01T00:00:01.200Z";

/** A state, with the time of the last update after it where it matters. */
const viewOf = (shown: string): LoadedConversation => {
  const [state, updated] = shown.split("@");
  return {
    ...(state === "" || state === undefined ? {} : { state }),
    ...defined({ updated }),
    texts: [],
    hasError: false,
    isUsedUp: false,
  };
};

const codesOf = (
  name: "legacy" | "current",
  [created = "", ...seen]: readonly string[],
): readonly (StateCode | undefined)[] => {
  const watch = stateWatch(name);
  return [watch.created(viewOf(created)), ...seen.map((state) => watch.seen(viewOf(state)))];
};

const legal = undefined;
const illegal = "illegal-transition";

describe("the states of a conversation", () => {
  test.each([
    { name: "may end", on: "current", seen: ["processing", "processing", "completed"], codes: [legal, legal, legal] },
    { name: "may end in an error", on: "current", seen: ["processing", "error"], codes: [legal, legal] },
    {
      name: "may be cancelled by somebody else",
      on: "current",
      seen: ["processing", "canceled"],
      codes: [legal, legal],
    },
    { name: "may end in the legacy interface", on: "legacy", seen: ["processing", "completed"], codes: [legal, legal] },
    {
      name: "may be pending, which is unspecified",
      on: "legacy",
      seen: ["pending", "processing", "pending"],
      codes: [legal, legal, legal],
    },
    { name: "do not begin with the end", on: "current", seen: ["completed"], codes: [illegal] },
    { name: "do not begin with the end in the legacy interface", on: "legacy", seen: ["completed"], codes: [illegal] },
    {
      name: "do not end twice",
      on: "current",
      seen: ["processing", "completed", "error"],
      codes: [legal, legal, illegal],
    },
    {
      name: "do not go back without a time",
      on: "current",
      seen: ["processing", "completed", "processing"],
      codes: [legal, legal, illegal],
    },
    {
      name: "do not go back in a newer version",
      on: "legacy",
      seen: ["processing", `completed@${early}`, `processing@${late}`],
      codes: [legal, legal, illegal],
    },
    {
      name: "do not go back at the same instant",
      on: "legacy",
      seen: ["processing", `completed@${early}`, `processing@${early}`],
      codes: [legal, legal, illegal],
    },
    {
      name: "may be older on a lagging replica",
      on: "legacy",
      seen: ["processing", `completed@${late}`, `processing@${early}`, `completed@${late}`],
      codes: [legal, legal, legal, legal],
    },
    {
      name: "may be older within the same second if times have whole seconds",
      on: "current",
      seen: ["processing", "completed@2026-01-01T00:00:01Z", "processing@2026-01-01T00:00:01Z"],
      codes: [legal, legal, legal],
    },
    {
      name: "are reported once if unknown",
      on: "current",
      seen: ["processing", "queued", "queued", "lost"],
      codes: [legal, "unknown-state", legal, "unknown-state"],
    },
    {
      name: "are checked after an unknown one",
      on: "current",
      seen: ["processing", "queued", "completed"],
      codes: [legal, "unknown-state", legal],
    },
    { name: "are shown by every response", on: "current", seen: ["processing", ""], codes: [legal, "bad-answer"] },
  ] as const)("$name", ({ on, seen, codes }) => {
    expect(codesOf(on, seen)).toEqual(codes);
  });

  test.each([
    { on: "legacy", states: ["completed"], others: ["pending", "processing", "error", undefined] },
    { on: "current", states: ["completed", "error", "canceled"], others: ["processing", "queued", undefined] },
  ] as const)("are last ones as the contract of the $on interface says", ({ on, states, others }) => {
    const watch = stateWatch(on);
    expect(states.filter((state) => !watch.isTerminal(state))).toEqual([]);
    expect(others.filter((state) => watch.isTerminal(state))).toEqual([]);
  });
});
