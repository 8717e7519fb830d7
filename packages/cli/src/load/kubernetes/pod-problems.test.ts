import { expect, test } from "vitest";
import { describePodProblem, readPods, readStage } from "./pod-problems.ts";

const readPod = (status: unknown, labels: unknown = { runner: "true" }) =>
  readPods({ items: [{ kind: "Pod", metadata: { name: "load-1-x", labels }, status }] })[0];

const waiting = (reason: string, message = "") => ({
  phase: "Pending",
  containerStatuses: [{ image: "registry/k6:1", state: { waiting: { reason, message } } }],
});

test.each<{ name: string; status: unknown; expected: object }>([
  {
    name: "that is being created",
    status: waiting("ContainerCreating"),
    expected: {},
  },
  {
    name: "whose image is pulled again",
    status: waiting("ErrImagePull"),
    expected: {},
  },
  {
    name: "whose image cannot be pulled",
    status: waiting("ImagePullBackOff", "no such host"),
    expected: { problem: "the image registry/k6:1 cannot be pulled: no such host", isStuck: true },
  },
  {
    name: "whose image has no valid name",
    status: waiting("InvalidImageName"),
    expected: { problem: "registry/k6:1 is not the name of an image", isStuck: true },
  },
  {
    name: "without its Secret",
    status: waiting("CreateContainerConfigError", 'secret "t" not found'),
    expected: { problem: 'its container cannot be created: secret "t" not found', isStuck: true },
  },
  {
    name: "that no node can run",
    status: {
      phase: "Pending",
      conditions: [{ type: "PodScheduled", status: "False", message: "0/2 nodes are available" }],
    },
    expected: { problem: "no node can run it: 0/2 nodes are available" },
  },
  {
    name: "that was evicted",
    status: { phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." },
    expected: { problem: "it was evicted: The node was low on resource: memory.", hasFailed: true },
  },
  {
    name: "that ran out of memory",
    status: { phase: "Failed", containerStatuses: [{ state: { terminated: { reason: "OOMKilled", exitCode: 137 } } }] },
    expected: { problem: "it ran out of memory", hasFailed: true },
  },
  {
    name: "that ended with an exit code",
    status: { phase: "Failed", containerStatuses: [{ state: { terminated: { reason: "Error", exitCode: 107 } } }] },
    expected: { problem: "it ended with 107", hasFailed: true },
  },
  {
    name: "that failed for an unknown reason",
    status: { phase: "Failed" },
    expected: { problem: "it failed", hasFailed: true },
  },
])("a pod $name", ({ status, expected }) => {
  expect(readPod(status)).toEqual({
    name: "load-1-x",
    isRunner: true,
    isReady: false,
    isStuck: false,
    hasFailed: false,
    ...expected,
  });
});

test("a problem is described with the name of its pod", () => {
  expect(
    readPods({ items: [{ kind: "Pod", metadata: { name: "load-1-x" }, status: { phase: "Failed" } }] }).map(
      describePodProblem,
    ),
  ).toEqual(["the pod load-1-x: it failed"]);
});

test("a ready pod that is not a runner", () => {
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  expect(readPod(status, {})).toEqual({
    name: "load-1-x",
    isRunner: false,
    isReady: true,
    isStuck: false,
    hasFailed: false,
  });
});

test("control characters of a message are not printed", () => {
  expect(readPod({ phase: "Failed", reason: "Evicted", message: "\u001B[31m" })?.problem).not.toContain("\u001B");
});

test.each([
  ["a list without a TestRun", { items: [] }, undefined],
  ["a TestRun without a stage", { items: [{ kind: "TestRun" }] }, undefined],
  ["a TestRun", { items: [{ kind: "Pod" }, { kind: "TestRun", status: { stage: "started" } }] }, "started"],
  ["no list", "x", undefined],
])("the stage of %s", (_name, list, stage) => {
  expect(readStage(list)).toBe(stage);
});
