import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ClusterLoad, type ClusterState, sendClusterLoad } from "./cluster-load.ts";
import { examplePlan } from "./testing/example-plan.ts";
import { createFakeKubectl, type FakeCluster } from "./testing/fake-kubectl.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-cluster-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const token = "token-that-must-stay-secret";
const times = { pollMs: 1, maxSilenceMs: 500, maxStuckMs: 20, maxStopMs: 200 };
const summary = "the summary of k6";

const pod = (name: string, status: unknown, runner = "true") => ({
  kind: "Pod",
  metadata: { name, labels: { runner } },
  status,
});
const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
const runners = (status: unknown) => [
  pod("load-1-x", status),
  pod("load-2-x", status),
  pod("load-coordinator", ready, ""),
];
const snapshot = (stage: string | undefined, pods: readonly unknown[] = runners(ready)) => [
  { kind: "TestRun", status: { stage } },
  ...pods,
];

const started = snapshot("started");
const finished = snapshot("finished", runners({ phase: "Succeeded" }).with(2, pod("load-coordinator", ready, "")));

function createLoad(cluster: FakeCluster, other: Partial<ClusterLoad> = {}) {
  const kubectl = createFakeKubectl(cluster);
  const states: ClusterState[] = [];
  const load: ClusterLoad = {
    run: {
      name: "load",
      runners: 2,
      image: "k6:1",
      plan: examplePlan,
      script: { ready: "search-first-match" },
      maxSeconds: 60,
    },
    kubectl,
    secretVariables: { ASSAY_TOKEN: token },
    folder: join(folder, "runners"),
    startLimitMs: 5000,
    loadLimitMs: 5000,
    signal: new AbortController().signal,
    redact: (text) => text.replaceAll(token, "[token]"),
    onState: (state) => states.push(state),
    times,
    ...other,
  };
  return { load, kubectl, states };
}

const deletions = (calls: readonly { readonly args: readonly string[] }[]) =>
  calls.filter(({ args }) => args[0] === "delete").map(({ args }) => args.join(" "));

const files = { "load-1/k6-summary.json": summary };

test("a load is sent, fetched and deleted", async () => {
  const { load, kubectl, states } = createLoad({ snapshots: [snapshot(undefined, []), started, finished], files });
  expect(await sendClusterLoad(load)).toEqual({ end: { cause: "complete" } });
  expect(readFileSync(join(folder, "runners/load-1/k6-summary.json"), "utf8")).toBe(summary);
  expect([...new Set(states.map(({ step }) => step))]).toEqual(["starting", "loading", "fetching", "deleting"]);
  expect(deletions(kubectl.calls)).toEqual([
    "delete testrun.k6.io,pod,service,configmap,secret,persistentvolumeclaim --selector assay-run=load --ignore-not-found --timeout=50s",
  ]);
});

test("the token is only on standard input, of the call that creates the Secret", async () => {
  const { load, kubectl } = createLoad({ snapshots: [started, finished], files, log: `token ${token}` });
  await sendClusterLoad(load);
  const inputs = kubectl.calls.filter(({ input }) => input.includes(token));
  expect(inputs.map(({ args }) => args)).toEqual([["create", "-f", "-"]]);
  expect(JSON.stringify(kubectl.calls.map(({ args }) => args))).not.toContain(token);
  expect(readFileSync(join(folder, "runners/load-1/k6.log"), "utf8")).toBe("token [token]");
});

const unscheduled = {
  phase: "Pending",
  conditions: [{ type: "PodScheduled", status: "False", message: "0/2 nodes are available" }],
};
const unpulled = {
  phase: "Pending",
  containerStatuses: [{ image: "k6:1", state: { waiting: { reason: "ImagePullBackOff", message: "" } } }],
};
const crashed = { phase: "Failed", containerStatuses: [{ state: { terminated: { exitCode: 107 } } }] };

test.each<{ name: string; cluster: FakeCluster; other?: Partial<ClusterLoad>; sentence: string }>([
  {
    name: "whose pods no node can run",
    cluster: { snapshots: [snapshot("created", runners(unscheduled))] },
    other: { startLimitMs: 30 },
    sentence:
      "no load was sent: 0 of 2 runners were ready after 0.03 s: the pod load-1-x: no node can run it: 0/2 nodes are available",
  },
  {
    name: "whose image cannot be pulled",
    cluster: { snapshots: [snapshot("created", runners(unpulled))] },
    sentence: "no load was sent: the pod load-1-x: the image k6:1 cannot be pulled",
  },
  {
    name: "whose script throws",
    cluster: {
      snapshots: [snapshot("initialization", [pod("load-initializer", crashed, "")])],
      log: "the plan cannot be followed",
    },
    sentence:
      "no load was sent: the pod load-initializer: it ended with 107; its last line is: the plan cannot be followed",
  },
  {
    name: "that the operator gives up",
    cluster: { snapshots: [snapshot("error", [])] },
    sentence: "no load was sent: the operator reports an error of the TestRun load",
  },
  {
    name: "that the operator ignores",
    cluster: { snapshots: [snapshot(undefined, [])] },
    other: { startLimitMs: 30 },
    sentence: "no load was sent: 0 of 2 runners were ready after 0.03 s: the k6-operator has not started them",
  },
])("a load $name ends with one sentence, and is deleted", async ({ cluster, other, sentence }) => {
  const { load, kubectl } = createLoad(cluster, other);
  expect(await sendClusterLoad(load)).toEqual({ end: { cause: "not-started", sentence } });
  expect(deletions(kubectl.calls)).toHaveLength(1);
});

test("a container that cannot be created for a moment does not end the load", async () => {
  const config = {
    phase: "Pending",
    containerStatuses: [{ state: { waiting: { reason: "CreateContainerConfigError", message: "timed out" } } }],
  };
  const { load } = createLoad({ snapshots: [snapshot("created", runners(config)), started, finished], files });
  expect(await sendClusterLoad(load)).toEqual({ end: { cause: "complete" } });
});

test.each([
  ["was killed", { phase: "Failed", containerStatuses: [{ state: { terminated: { reason: "OOMKilled" } } }] }],
  ["was evicted", { phase: "Failed", reason: "Evicted", message: "" }],
])("a load of which one runner %s is fetched, and names it", async (_name, status) => {
  const lost = snapshot("finished", [
    pod("load-1-x", { phase: "Succeeded" }),
    pod("load-2-x", status),
    pod("load-coordinator", ready, ""),
  ]);
  const { load } = createLoad({ snapshots: [started, lost], files });
  const { end } = await sendClusterLoad(load);
  expect(end.cause).toBe("crashed");
  expect(end.sentence).toMatch(
    /^1 of 2 runners did not end as planned: the pod load-2-x: it (?:ran out of|was evicted)/u,
  );
  expect(existsSync(join(folder, "runners/load-1/k6-summary.json"))).toBe(true);
});

test("a load that the coordinator ended because of the target has its reason, although its runners did not end as planned", async () => {
  const end = "the target could not handle the load";
  const { load, states } = createLoad({
    snapshots: [started, started, started, snapshot("finished", runners(crashed))],
    files,
    coordinatorLog: `${JSON.stringify({ ok: 7, failed: 20, runners: 2, distress: 9, end })}\n`,
  });
  expect(await sendClusterLoad(load)).toEqual({ end: { cause: "distress", sentence: end } });
  expect(states).toContainEqual(
    expect.objectContaining({ coordinator: expect.objectContaining({ ok: 7, failed: 20 }) }),
  );
});

test.each([
  {
    name: "was evicted",
    coordinator: [pod("load-coordinator", { phase: "Failed", reason: "Evicted", message: "memory" }, "")],
    sentence: "the runners ended, because their coordinator did: the pod load-coordinator: it was evicted: memory",
  },
  {
    name: "is gone",
    coordinator: [],
    sentence: "the runners ended, because the pod of their coordinator was deleted or evicted",
  },
])(
  "the results of a load whose coordinator $name are fetched through another pod",
  async ({ coordinator, sentence }) => {
    const runnerPods = [pod("load-1-x", crashed), pod("load-2-x", crashed)];
    const lost = snapshot("finished", [...runnerPods, ...coordinator]);
    const replaced = snapshot("finished", [...runnerPods, ...coordinator, pod("load-fetch", ready, "")]);
    const { load, kubectl } = createLoad({ snapshots: [started, started, lost, lost, lost, replaced], files });
    expect(await sendClusterLoad(load)).toEqual({ end: { cause: "crashed", sentence } });
    expect(existsSync(join(folder, "runners/load-1/k6-summary.json"))).toBe(true);
    expect(
      kubectl.calls.filter(({ args }) => args[0] === "exec" || args[0] === "cp").map(({ args }) => args[1]),
    ).toEqual(["load-fetch", "load-fetch:/results"]);
  },
);

test("the runners are created when the coordinator is ready", async () => {
  const { load, kubectl } = createLoad({
    snapshots: [
      [pod("load-coordinator", { phase: "Pending" }, "")],
      [pod("load-coordinator", ready, "")],
      started,
      finished,
    ],
    files,
  });
  await sendClusterLoad(load);
  const created = kubectl.calls.flatMap(({ args, input }) =>
    args[0] === "get" && args.includes("json")
      ? ["get"]
      : args[0] === "create"
        ? [/"kind":"(\w+)","metadata/u.exec(input)?.[1]]
        : [],
  );
  expect(created.slice(0, 10)).toEqual([
    "Secret",
    "Service",
    "Pod",
    "ConfigMap",
    "PersistentVolumeClaim",
    "ConfigMap",
    "get",
    "get",
    "TestRun",
    "get",
  ]);
});

test("a runner whose pod is gone is named", async () => {
  const { load } = createLoad({
    snapshots: [
      started,
      snapshot("finished", [pod("load-2-x", { phase: "Succeeded" }), pod("load-coordinator", ready, "")]),
    ],
    files,
  });
  expect((await sendClusterLoad(load)).end).toEqual({
    cause: "crashed",
    sentence: "1 of 2 runners did not end as planned: the pod of load-1 was deleted or evicted",
  });
});

test("a load that does not end is stopped, and then fetched", async () => {
  const { load, kubectl } = createLoad({ snapshots: [started], files }, { loadLimitMs: 30 });
  const { end } = await sendClusterLoad(load);
  expect(end.cause).toBe("deadline");
  expect(deletions(kubectl.calls).slice(0, -1)).toEqual([
    "delete testrun.k6.io load --ignore-not-found --wait=false",
    "delete pod --selector k6_cr=load,runner=true --ignore-not-found --wait=false",
  ]);
  expect(existsSync(join(folder, "runners/load-1/k6-summary.json"))).toBe(true);
});

test("an interrupt during the load stops it, and what was recorded is fetched", async () => {
  const controller = new AbortController();
  const { load, kubectl } = createLoad(
    { snapshots: [started], files },
    { signal: controller.signal, onState: ({ step }) => step === "loading" && controller.abort("SIGINT") },
  );
  expect((await sendClusterLoad(load)).end.cause).toBe("interrupted");
  expect(deletions(kubectl.calls)).toHaveLength(3);
  expect(existsSync(join(folder, "runners/load-1/k6-summary.json"))).toBe(true);
});

test("an interrupt before the load deletes what was created", async () => {
  const controller = new AbortController();
  const { load, kubectl } = createLoad(
    { snapshots: [snapshot("created")] },
    { signal: controller.signal, onState: ({ step }) => step === "starting" && controller.abort("SIGTERM") },
  );
  expect((await sendClusterLoad(load)).end.cause).toBe("not-started");
  expect(deletions(kubectl.calls)).toHaveLength(1);
});

test("a cluster that refuses an object ends the load, and the others are deleted", async () => {
  const { load, kubectl } = createLoad({ snapshots: [], refuses: (args) => args[0] === "create" });
  expect((await sendClusterLoad(load)).end).toEqual({
    cause: "crashed",
    sentence: "the cluster refused a call: refused by the fake",
  });
  expect(deletions(kubectl.calls)).toHaveLength(1);
});

test("a cluster that is silent for a moment does not end the load, and one that stays silent does", async () => {
  const silent = createLoad({ snapshots: [started], refuses: (args, count) => args[0] === "get" && count > 8 });
  expect((await sendClusterLoad(silent.load)).end).toEqual({
    cause: "crashed",
    sentence: "the cluster no longer answers: refused by the fake",
  });
  const momentary = createLoad({
    snapshots: [started, finished],
    files,
    refuses: (args, count) => args[0] === "get" && count === 8,
  });
  expect((await sendClusterLoad(momentary.load)).end).toEqual({ cause: "complete" });
});

test("objects that cannot be deleted are reported with the command that deletes them", async () => {
  const { load } = createLoad({ snapshots: [started, finished], files, refuses: (args) => args[0] === "delete" });
  expect((await sendClusterLoad(load)).leftover).toBe(
    "not everything of load could be deleted (refused by the fake); delete the rest with `kubectl delete testrun.k6.io,pod,service,configmap,secret,persistentvolumeclaim --selector assay-run=load`",
  );
});

test("a file that is not copied completely is copied again, and then ends the load", async () => {
  const copied = createLoad({ snapshots: [started, finished], files, truncatedCopies: 2 });
  expect((await sendClusterLoad(copied.load)).end).toEqual({ cause: "complete" });
  const lost = createLoad({ snapshots: [started, finished], files, truncatedCopies: 3 });
  expect((await sendClusterLoad(lost.load)).end).toEqual({
    cause: "crashed",
    sentence: "the results of the runners could not be fetched: load-1/k6-summary.json was not copied completely",
  });
});
