import { describe, expect, test } from "vitest";
import type { IndexState } from "./index-state.ts";
import type { Probe } from "./probe.ts";
import { isCompared, probesToRepeat } from "./probes-to-repeat.ts";
import type { SentProbe } from "./probes-to-repeat.ts";

const probe = (id: string, parameters: Omit<Probe["parameters"], "q"> = {}): Probe => ({
  id,
  title: `about ${id}`,
  credential: "main",
  parameters: { q: id.replace("-again", ""), ...parameters },
  purpose: "comparison",
});
const indexState = (commit: string, more: Partial<IndexState> = {}): IndexState => ({
  commits: new Map(commit === "" ? [] : [["a/b", commit]]),
  files: "one",
  isEmpty: false,
  isIncomplete: false,
  ...more,
});
const sent = (id: string, state?: IndexState): SentProbe =>
  state === undefined ? { probe: probe(id) } : { probe: probe(id), state };
const empty = indexState("", { files: "", isEmpty: true });
const idsOf = (probes: readonly Probe[]): readonly string[] => probes.map(({ id }) => id);
const incomplete = indexState("1", { isIncomplete: true });

describe("searches that are sent again", () => {
  test.each<{ name: string; pass: readonly SentProbe[]; again: readonly string[] }>([
    {
      name: "the index did not change",
      pass: [sent("pivot", indexState("1")), sent("pivot-cm", indexState("1"))],
      again: [],
    },
    {
      name: "two name different commits",
      pass: [sent("pivot", indexState("1")), sent("dotted", indexState("1")), sent("pivot-cm", indexState("2"))],
      again: ["pivot-time-2", "pivot-cm-time-2"],
    },
    {
      name: "the others are not compared",
      pass: [
        sent("pivot", indexState("1")),
        sent("dotted", indexState("2")),
        sent("swapped", indexState("3")),
        sent("search", indexState("4")),
      ],
      again: [],
    },
    {
      name: "equal searches found different files",
      pass: [
        sent("dotted", indexState("1")),
        sent("dotted-again", indexState("1", { files: "" })),
        sent("filter", indexState("1")),
      ],
      again: ["dotted-time-2", "dotted-again-time-2", "filter-time-2"],
    },
    {
      name: "equal searches found different files and no answer names a commit",
      pass: [sent("dotted", indexState("")), sent("dotted-again", indexState("", { files: "" }))],
      again: [],
    },
    {
      name: "one was incomplete",
      pass: [sent("search", indexState("1")), sent("parameter-v", incomplete)],
      again: ["search-time-2", "parameter-v-time-2"],
    },
    {
      name: "some wrongly found nothing",
      pass: [
        sent("pivot", indexState("1")),
        sent("pivot-cl-alone", empty),
        sent("search", indexState("1")),
        sent("parameter-cm", empty),
      ],
      // The search that it is compared with is sent after it, so that both saw the same index.
      again: ["pivot-cl-alone-time-2", "pivot-time-2", "parameter-cm-time-2"],
    },
    {
      name: "a search for special characters found nothing",
      pass: [sent("text", indexState("1")), sent("text-1", empty), sent("encoded-twice", empty)],
      again: ["text-1-time-2", "text-time-2"],
    },
    {
      name: "a filter or a wider pattern found nothing",
      pass: [
        sent("narrowed-1", indexState("1")),
        sent("narrowed-2", empty),
        sent("narrowed", indexState("1")),
        sent("dotted", indexState("1")),
        sent("together-without-v", empty),
      ],
      again: ["narrowed-2-time-2", "narrowed-time-2", "together-without-v-time-2", "dotted-time-2"],
    },
    {
      name: "some searches for paths found nothing, also the first one",
      pass: [
        sent("all-paths-together", empty),
        sent("all-paths-together-1", indexState("1")),
        sent("all-paths-together-limit", empty),
      ],
      again: ["all-paths-together-time-2", "all-paths-together-limit-time-2"],
    },
    {
      name: "a pattern found nothing, and the wider one did",
      pass: [sent("dotted", empty), sent("together", empty), sent("dotted-regexp", indexState("1"))],
      again: [],
    },
    { name: "all found nothing", pass: [sent("pivot", empty), sent("pivot-cl-alone", empty)], again: [] },
    {
      name: "patterns that need not match found nothing",
      pass: [
        sent("pivot", indexState("1")),
        sent("pivot-narrowed", empty),
        sent("search", indexState("1")),
        sent("parameter-t-keyword", empty),
      ],
      again: [],
    },
    { name: "an answer shows no state", pass: [sent("pivot", indexState("1")), sent("pivot-cm")], again: [] },
    { name: "nothing is compared", pass: [sent("paths", indexState("1")), sent("no-token", incomplete)], again: [] },
  ])("where $name", ({ pass, again }) => {
    expect(idsOf(probesToRepeat(pass, [], 2))).toEqual(again);
  });

  test("have the number of the pass in their ids", () => {
    const first = probesToRepeat([sent("pivot", indexState("1")), sent("pivot-cm", indexState("2"))], [], 2);
    const second = probesToRepeat(
      first.map((one, index) => ({ probe: one, state: indexState(String(index)) })),
      [],
      3,
    );
    expect(idsOf(second)).toEqual(["pivot-time-3", "pivot-cm-time-3"]);
    expect(second.map(({ title }) => title)).toEqual(["about pivot, time 3", "about pivot-cm, time 3"]);
    expect(second.every((one) => isCompared(one))).toBe(true);
  });

  test("are not sent a third time if everything is incomplete twice", () => {
    const all = [sent("pivot", incomplete), sent("pivot-cm", incomplete)];
    expect(probesToRepeat(all, [], 2)).toHaveLength(2);
    expect(probesToRepeat(all, all, 3)).toEqual([]);
    expect(probesToRepeat(all, [...all, sent("pivot", indexState("1"))], 3)).toHaveLength(2);
  });
});

test("a search that finds nothing again is not sent a third time", () => {
  const first = probesToRepeat([sent("pivot", indexState("1")), sent("pivot-cl-alone", empty)], [], 2);
  const again = first.map((repeatedProbe): SentProbe => ({ probe: repeatedProbe, state: empty }));
  expect(probesToRepeat(again, [sent("pivot", indexState("1")), sent("pivot-cl-alone", empty)], 3)).toEqual([]);
});
