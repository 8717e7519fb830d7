import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { isRecord, member } from "@assay/reading";
import { examplePlan } from "./testing/example-plan.ts";
import {
  type ClusterRun,
  formatManifests,
  listRunnerNames,
  renderFetchPod,
  renderRun,
  renderSecret,
} from "./render-run.ts";

const run: ClusterRun = {
  name: "assay-load-1a2b3c4d",
  runners: 3,
  image: "registry.example/assay-k6:1",
  plan: examplePlan,
  script: { ready: "search-first-match" },
  maxSeconds: 900,
};

const readAt = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (Array.isArray(inner) ? inner[Number(key)] : member(inner, String(key))), value);
const find = (manifests: readonly unknown[], kind: string, ending = ""): unknown =>
  manifests.find((each) => readAt(each, "kind") === kind && String(readAt(each, "metadata", "name")).endsWith(ending));
const readBase = (file: string): unknown =>
  parse(readFileSync(fileURLToPath(new URL(`../../../../../scenarios/deploy/base/${file}`, import.meta.url)), "utf8"));

describe("the objects of a run", () => {
  const manifests = renderRun(run);

  test("have the name of the run and its label, and the TestRun is the last one", () => {
    expect(manifests.map(({ kind }) => kind)).toEqual([
      "Service",
      "Pod",
      "ConfigMap",
      "PersistentVolumeClaim",
      "ConfigMap",
      "TestRun",
    ]);
    for (const manifest of manifests) {
      expect(readAt(manifest, "metadata", "name")).toMatch(/^assay-load-1a2b3c4d(?:-|$)/u);
      expect(readAt(manifest, "metadata", "labels", "assay-run")).toBe("assay-load-1a2b3c4d");
      expect(readAt(manifest, "metadata", "namespace")).toBeUndefined();
    }
  });

  test("refer to each other and to nothing of another run", () => {
    const references = JSON.stringify(manifests).match(/assay-load[\w-]*/gu) ?? [];
    expect(references.length).toBeGreaterThan(10);
    expect(
      references.filter(
        (name) => !/^assay-load-1a2b3c4d(?:$|-(?:plan|settings|results|token|coordinator)$)/u.test(name),
      ),
    ).toEqual([]);
  });

  test("differ from the manifests of the base only in what the run sets", () => {
    const rendered = find(manifests, "TestRun");
    const base = readBase("test-run.yaml");
    expect(readAt(rendered, "spec", "parallelism")).toBe(3);
    for (const part of ["initializer", "runner"]) {
      expect(readAt(rendered, "spec", part, "image")).toBe("registry.example/assay-k6:1");
      for (const same of ["securityContext", "containerSecurityContext", "resources", "volumeMounts"]) {
        expect(readAt(rendered, "spec", part, same)).toEqual(readAt(base, "spec", part, same));
      }
    }
    expect(readAt(rendered, "spec", "initializer", "env")).toEqual(readAt(base, "spec", "initializer", "env"));
    expect(readAt(rendered, "spec", "arguments")).toBe(readAt(base, "spec", "arguments"));
    expect(readAt(rendered, "spec", "script")).toEqual({ localFile: "/scenarios/search-first-match.js" });
    expect(readAt(find(manifests, "PersistentVolumeClaim"), "spec")).toEqual(
      readAt(readBase("results-claim.yaml"), "spec"),
    );
  });

  test("contain the plan", () => {
    expect(JSON.parse(String(readAt(find(manifests, "ConfigMap", "-plan"), "data", "plan.json")))).toEqual(examplePlan);
  });

  test("include a coordinator, in a pod like the merge Job's that ends by itself and has only the key", () => {
    const pod = find(manifests, "Pod");
    const jobPod = readAt(readBase("merge-job.yaml"), "spec", "template", "spec");
    expect(readAt(pod, "spec", "securityContext")).toEqual(readAt(jobPod, "securityContext"));
    expect(readAt(pod, "spec", "containers", 0, "volumeMounts")).toEqual(
      readAt(jobPod, "containers", 0, "volumeMounts"),
    );
    expect(readAt(pod, "spec", "containers", 0, "args")).toEqual(["load", "coordinate", "--port", "6570"]);
    expect(readAt(pod, "spec", "activeDeadlineSeconds")).toBe(900);
    expect(readAt(pod, "spec", "containers", 0, "env")).toEqual([
      {
        name: "ASSAY_COORDINATOR_KEY",
        valueFrom: { secretKeyRef: { name: "assay-load-1a2b3c4d-token", key: "ASSAY_COORDINATOR_KEY" } },
      },
    ]);
  });

  test("lead the runners to the coordinator, without a name server", () => {
    const service = find(manifests, "Service");
    const labels = readAt(find(manifests, "Pod"), "metadata", "labels");
    expect(labels).toMatchObject(Object(readAt(service, "spec", "selector")));
    expect(readAt(service, "spec", "ports")).toEqual([{ port: 6570 }]);
    const env = readAt(find(manifests, "TestRun"), "spec", "runner", "env");
    const base = readAt(readBase("test-run.yaml"), "spec", "runner", "env");
    expect(env).toEqual([
      ...(Array.isArray(base) ? base : []),
      { name: "ASSAY_COORDINATOR", value: "$(ASSAY_LOAD_1A2B3C4D_COORDINATOR_SERVICE_HOST):6570" },
    ]);
  });

  test("do not end a breakpoint on distress, because it looks for the limit of the target", () => {
    const breakpoint = renderRun({ ...run, plan: { ...examplePlan, shape: "breakpoint" } });
    expect(readAt(find(breakpoint, "Pod"), "spec", "containers", 0, "args")).toContain("--no-distress");
  });
});

test("the pod that replaces a lost coordinator has the claim and only waits", () => {
  const pod = renderFetchPod(run);
  const coordinatorPod = find(renderRun(run), "Pod");
  expect(readAt(pod, "metadata")).toEqual({ name: "assay-load-1a2b3c4d-fetch", labels: { "assay-run": run.name } });
  expect(readAt(pod, "spec", "volumes")).toEqual(readAt(coordinatorPod, "spec", "volumes"));
  expect(readAt(pod, "spec", "containers", 0)).toMatchObject({ command: ["sleep", "900"], args: [], image: run.image });
  expect(readAt(pod, "spec", "containers", 0, "env")).toBeUndefined();
});

test("a user's script is in an object of its own", () => {
  const manifests = renderRun({ ...run, script: { text: "export default () => {};" } });
  expect(readAt(find(manifests, "ConfigMap", "-script"), "data")).toEqual({
    "scenario.js": "export default () => {};",
  });
  expect(readAt(find(manifests, "TestRun"), "spec", "script")).toEqual({
    configMap: { name: "assay-load-1a2b3c4d-script", file: "scenario.js" },
  });
});

test("runners trust more certificates in addition to those of their image", () => {
  const manifests = renderRun({ ...run, authorities: ["first\n", "second\n"] });
  expect(readAt(find(manifests, "ConfigMap", "-authorities"), "data")).toEqual({
    "authorities.pem": "first\nsecond\n",
  });
  const runner = readAt(find(manifests, "TestRun"), "spec", "runner");
  const plain = readAt(find(renderRun(run), "TestRun"), "spec", "runner");
  const volume = { name: "authorities", configMap: { name: `${run.name}-authorities` } };
  const added = {
    env: { name: "SSL_CERT_DIR", value: "/authorities" },
    volumes: volume,
    volumeMounts: { name: "authorities", mountPath: "/authorities", readOnly: true },
  };
  for (const [name, element] of Object.entries(added)) {
    const before = readAt(plain, name);
    expect(readAt(runner, name)).toEqual([...(Array.isArray(before) ? before : []), element]);
  }
});

test("namespace, storage class and processor are set where they are given", () => {
  const manifests = renderRun({ ...run, namespace: "load", storageClass: "shared", runnerCpu: 0.5 });
  const requests = readAt(readBase("test-run.yaml"), "spec", "runner", "resources", "requests");
  expect(readAt(find(manifests, "TestRun"), "spec", "runner", "resources", "requests")).toEqual({
    ...(isRecord(requests) ? requests : {}),
    cpu: "0.5",
  });
  expect(manifests.map((manifest) => readAt(manifest, "metadata", "namespace"))).toEqual(manifests.map(() => "load"));
  expect(readAt(find(manifests, "PersistentVolumeClaim"), "spec", "storageClassName")).toBe("shared");
});

test("the Secret has the name that the runners read", () => {
  const secret = renderSecret(run, { ASSAY_TOKEN: "secret" });
  const sources = readAt(find(renderRun(run), "TestRun"), "spec", "runner", "envFrom");
  expect(sources).toContainEqual({ secretRef: { name: readAt(secret, "metadata", "name") } });
  expect(readAt(secret, "metadata", "labels", "assay-run")).toBe(run.name);
});

test("printed manifests are YAML that is read as the same objects", () => {
  const texts = formatManifests(renderRun(run)).split("---\n");
  expect(texts.map((text): unknown => parse(text))).toEqual(renderRun(run));
});

test("the folders of the runners are numbered from 1", () => {
  expect(listRunnerNames({ name: "x", runners: 2 })).toEqual(["x-1", "x-2"]);
});
