import { expect, test } from "vitest";
import { createLoadNames, runNames } from "./run-names.ts";

const ids = ["20260102T030405Z-5803bc", "20260102T030505Z-5de399"];
const runsAt = (targets: readonly string[], names: readonly (string | undefined)[] = []) =>
  targets.map((target, at) => ({ target, id: ids[at] ?? "", name: names[at] }));
const local = ["http://127.0.0.1:1", "http://127.0.0.1:2"];

test.each([
  ["nothing where there are none", [], []],
  ["what somebody called them", runsAt(local, ["before", "after"]), ["before", "after"]],
  ["the end of the id where only others have a name", runsAt(local, ["before"]), ["before", "5de399"]],
  [
    "hosts without common labels",
    runsAt(["https://staging.search.test", "https://www.search.test/x"]),
    ["staging", "www"],
  ],
  [
    "hosts of which one is the end of the other",
    runsAt(["https://search.test", "https://a.search.test"]),
    ["search", "a.search"],
  ],
  ["ends of ids for one host", runsAt(["https://a.test", "https://a.test"]), ["5803bc", "5de399"]],
  ["ends of ids for addresses in numbers", runsAt(["http://[::1]:1", "http://10.0.0.1"]), ["5803bc", "5de399"]],
  ["ends of ids where a target is not a URL", runsAt(["https://a.test", "?"]), ["5803bc", "5de399"]],
  [
    "whole ids if their ends are the same",
    [
      { id: "a-5803bc", target: "" },
      { id: "b-5803bc", target: "" },
    ],
    ["a-5803bc", "b-5803bc"],
  ],
  [
    "numbers if nothing else is unique",
    [
      { id: "a", target: "" },
      { id: "a", target: "" },
    ],
    ["1: a", "2: a"],
  ],
])("runs are called by %s", (_what, runs, names) => {
  expect(runNames(runs)).toEqual(names);
});

test.each([
  [
    ["a", "b"],
    ["a", "b"],
  ],
  [
    ["a", "a"],
    ["1: a", "2: a"],
  ],
])("loads %j are called %j", (runIds, names) => {
  expect(createLoadNames(runIds)).toEqual(names);
});
