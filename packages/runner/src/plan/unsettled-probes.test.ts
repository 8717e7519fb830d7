import { describe, expect, test } from "vitest";
import type { MetState } from "./met-state.ts";
import type { Probe } from "./probe.ts";
import { isCompared, unsettledProbes } from "./unsettled-probes.ts";
import type { SentProbe } from "./unsettled-probes.ts";

const probe = (id: string, parameters: Omit<Probe["parameters"], "q"> = {}): Probe => ({
  id,
  title: `about ${id}`,
  credential: "main",
  parameters: { q: id.replace("-again", ""), ...parameters },
  purpose: "comparison",
});
const met = (commit: string, more: Partial<MetState> = {}): MetState => ({
  commits: new Map(commit === "" ? [] : [["a/b", commit]]),
  files: "one",
  isEmpty: false,
  isIncomplete: false,
  ...more,
});
const sent = (id: string, state?: MetState): SentProbe =>
  state === undefined ? { probe: probe(id) } : { probe: probe(id), met: state };
const empty = met("", { files: "", isEmpty: true });
const idsOf = (probes: readonly Probe[]): readonly string[] => probes.map(({ id }) => id);
const incomplete = met("1", { isIncomplete: true });

describe("searches that are sent again", () => {
  test.each<{ name: string; pass: readonly SentProbe[]; again: readonly string[] }>([
    { name: "nobody met another state", pass: [sent("pivot", met("1")), sent("pivot-cm", met("1"))], again: [] },
    {
      name: "two name other commits",
      pass: [sent("pivot", met("1")), sent("dotted", met("1")), sent("pivot-cm", met("2"))],
      again: ["pivot-time-2", "pivot-cm-time-2"],
    },
    {
      name: "others are not compared with each other",
      pass: [sent("pivot", met("1")), sent("dotted", met("2")), sent("swapped", met("3")), sent("search", met("4"))],
      again: [],
    },
    {
      name: "equal searches found other files",
      pass: [sent("dotted", met("1")), sent("dotted-again", met("1", { files: "" })), sent("filter", met("1"))],
      again: ["dotted-time-2", "dotted-again-time-2", "filter-time-2"],
    },
    {
      name: "equal searches found other files and nobody tells a commit",
      pass: [sent("dotted", met("")), sent("dotted-again", met("", { files: "" }))],
      again: [],
    },
    {
      name: "one was incomplete",
      pass: [sent("search", met("1")), sent("parameter-v", incomplete)],
      again: ["search-time-2", "parameter-v-time-2"],
    },
    {
      name: "some found nothing that had to find something",
      pass: [
        sent("pivot", met("1")),
        sent("pivot-cl-alone", empty),
        sent("search", met("1")),
        sent("parameter-cm", empty),
      ],
      again: ["pivot-cl-alone-time-2", "parameter-cm-time-2"],
    },
    { name: "all found nothing", pass: [sent("pivot", empty), sent("pivot-cl-alone", empty)], again: [] },
    {
      name: "patterns that need not match found nothing",
      pass: [
        sent("pivot", met("1")),
        sent("pivot-narrowed", empty),
        sent("search", met("1")),
        sent("parameter-t-keyword", empty),
      ],
      again: [],
    },
    { name: "an answer tells nothing", pass: [sent("pivot", met("1")), sent("pivot-cm")], again: [] },
    { name: "nothing is compared", pass: [sent("paths", met("1")), sent("no-token", incomplete)], again: [] },
  ])("where $name", ({ pass, again }) => {
    expect(idsOf(unsettledProbes(pass, [], 2))).toEqual(again);
  });

  test("are the same with the number of the time, as often as they are sent", () => {
    const first = unsettledProbes([sent("pivot", met("1")), sent("pivot-cm", met("2"))], [], 2);
    const second = unsettledProbes(
      first.map((one, index) => ({ probe: one, met: met(String(index)) })),
      [],
      3,
    );
    expect(idsOf(second)).toEqual(["pivot-time-3", "pivot-cm-time-3"]);
    expect(second.map(({ title }) => title)).toEqual(["about pivot, time 3", "about pivot-cm, time 3"]);
    expect(second.every((one) => isCompared(one))).toBe(true);
  });

  test("are not sent a third time where everything is incomplete always", () => {
    const all = [sent("pivot", incomplete), sent("pivot-cm", incomplete)];
    expect(unsettledProbes(all, [], 2)).toHaveLength(2);
    expect(unsettledProbes(all, all, 3)).toEqual([]);
    expect(unsettledProbes(all, [...all, sent("pivot", met("1"))], 3)).toHaveLength(2);
  });
});

test("a search that finds nothing again is not sent a third time", () => {
  const first = unsettledProbes([sent("pivot", met("1")), sent("pivot-cl-alone", empty)], [], 2);
  const again = first.map((probe): SentProbe => ({ probe, met: empty }));
  expect(unsettledProbes(again, [sent("pivot", met("1")), sent("pivot-cl-alone", empty)], 3)).toEqual([]);
});
