import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { arrayMember, isRecord, member } from "@assay/reading";
import type { LoadPlan } from "@assay/results";
import { scenarioFolder } from "@assay/scenarios";
import { parse, stringify } from "yaml";
import { coordinatorKeyName, coordinatorPort } from "./coordinator-state.ts";
import type { KubernetesSettings } from "./kubernetes-options.ts";

/** An object of Kubernetes. */
export type Manifest = Readonly<Record<string, unknown>>;

/** A load run in a cluster. */
export interface ClusterRun extends Omit<KubernetesSettings, "kubeContext" | "startLimitMs" | "k6Outputs"> {
  /** Name of the `TestRun`, and prefix of the names of all other objects. */
  readonly name: string;
  readonly plan: LoadPlan;
  /** A ready scenario of the image, by its name, or the text of a bundled script. */
  readonly script: { readonly ready: string } | { readonly text: string };
  /** Certificates that the runners trust besides those of their image, as PEM. */
  readonly authorities?: readonly string[];
  /** After this time the coordinator ends by itself. */
  readonly maxSeconds: number;
}

/** Label of all objects of a run. Its value is the name of the run. */
export const runLabel = "assay-run";

/** Selects the pods of the runners, by the labels that the operator gives them. */
export const selectRunners = ({ name }: Pick<ClusterRun, "name">): string => `k6_cr=${name},runner=true`;

/** The kinds that a run creates. Those of the operator belong to the `TestRun`. */
export const runKinds = "testrun.k6.io,pod,service,configmap,secret,persistentvolumeclaim";

const coordinatorLabels = { "assay-role": "coordinator" };

const baseName = "assay-load";
const baseFolder = join(scenarioFolder, "deploy/base");
const scriptFile = "scenario.js";

/** Returns the folder of a runner in the claim, which is the name of its host. The operator counts runners from 1. */
export const listRunnerNames = ({ name, runners }: Pick<ClusterRun, "name" | "runners">): readonly string[] =>
  Array.from({ length: runners }, (_, index) => `${name}-${index + 1}`);

/** The pod that coordinates the runners, and through which the results are fetched. Its Service has the same name. */
export const coordinatorName = ({ name }: Pick<ClusterRun, "name">): string => `${name}-coordinator`;
export const fetchPodName = ({ name }: Pick<ClusterRun, "name">): string => `${name}-fetch`;
export const secretName = ({ name }: Pick<ClusterRun, "name">): string => `${name}-token`;

/** Reads the manifests of `scenarios/deploy/base`, except kustomize's own file. */
function readBase(): readonly unknown[] {
  return readdirSync(baseFolder)
    .filter((file) => file.endsWith(".yaml") && file !== "kustomization.yaml")
    .toSorted()
    .map((file): unknown => parse(readFileSync(join(baseFolder, file), "utf8")));
}

/** Replaces the name of the base wherever it is the name, or the prefix of the name, of an object. */
function renameObjects(value: unknown, name: string): unknown {
  if (typeof value === "string") {
    return value === baseName || value.startsWith(`${baseName}-`) ? `${name}${value.slice(baseName.length)}` : value;
  }
  if (Array.isArray(value)) {
    return value.map((element) => renameObjects(element, name));
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renameObjects(each, name)]))
    : value;
}

/** The variable that Kubernetes sets in pods to the address of a Service that existed before them. Needs no name server. */
const formatServiceVariable = (service: string): string => `${service.toUpperCase().replaceAll("-", "_")}_SERVICE_HOST`;

/** Returns a copy in which the objects at a path have more members. The path is created if it is missing. */
function extend(value: unknown, path: readonly string[], members: Manifest): Manifest {
  const record = isRecord(value) ? value : {};
  const [key, ...rest] = path;
  return key === undefined ? { ...record, ...members } : { ...record, [key]: extend(record[key], rest, members) };
}

const addLabel = (manifest: unknown, { name, namespace }: ClusterRun): Manifest =>
  extend(extend(manifest, ["metadata"], namespace === undefined ? {} : { namespace }), ["metadata", "labels"], {
    [runLabel]: name,
  });

const authoritiesFolder = "/authorities";

/** Members of the runner that make k6 trust more certificates: those of a folder as well as the file of the image. */
const createTrustMembers = (runner: unknown, name: string) => ({
  env: [{ name: "SSL_CERT_DIR", value: authoritiesFolder }],
  volumes: [...arrayMember(runner, "volumes"), { name: "authorities", configMap: { name: `${name}-authorities` } }],
  volumeMounts: [
    ...arrayMember(runner, "volumeMounts"),
    { name: "authorities", mountPath: authoritiesFolder, readOnly: true },
  ],
});

function customizeTestRun(manifest: unknown, run: ClusterRun): Manifest {
  const { authorities, image, name, runners, runnerCpu, script } = run;
  const labels = { metadata: { labels: { [runLabel]: name } } };
  const scriptSource =
    "ready" in script
      ? { localFile: `/scenarios/${script.ready}.js` }
      : { configMap: { name: `${name}-script`, file: scriptFile } };
  const address = `$(${formatServiceVariable(coordinatorName(run))}):${coordinatorPort}`;
  const runner = member(member(manifest, "spec"), "runner");
  const { env: trustEnv = [], ...trustMembers } = authorities === undefined ? {} : createTrustMembers(runner, name);
  const env = [...arrayMember(runner, "env"), { name: "ASSAY_COORDINATOR", value: address }, ...trustEnv];
  const changes: readonly (readonly [readonly string[], Manifest])[] = [
    [["spec"], { parallelism: runners, script: scriptSource, starter: labels }],
    [["spec", "initializer"], { image, ...labels }],
    [["spec", "runner"], { image, ...labels }],
    [["spec", "runner"], { ...trustMembers, env }],
    [["spec", "runner", "resources", "requests"], runnerCpu === undefined ? {} : { cpu: String(runnerCpu) }],
  ];
  return changes.reduce<Manifest>(
    (changed, [path, members]) => extend(changed, path, members),
    extend(manifest, [], {}),
  );
}

/** Members of a pod that differ from those of the pod of the merge Job. */
interface PodMembers {
  readonly metadata: Manifest;
  readonly container: Manifest;
}

/** Creates a pod like the pod of the merge Job. It ends by itself if it is not deleted. */
function createPod(job: unknown, { image, maxSeconds }: ClusterRun, { metadata, container }: PodMembers): Manifest {
  const spec = member(member(member(job, "spec"), "template"), "spec");
  const [jobContainer] = arrayMember(spec, "containers");
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: {
      ...(isRecord(spec) ? spec : {}),
      terminationGracePeriodSeconds: 0,
      activeDeadlineSeconds: maxSeconds,
      containers: [{ ...(isRecord(jobContainer) ? jobContainer : {}), image, ...container }],
    },
  };
}

function createCoordinatorPod(job: unknown, run: ClusterRun): Manifest {
  const distressArgs = run.plan.shape === "breakpoint" ? ["--no-distress"] : [];
  const keySource = { secretKeyRef: { name: secretName(run), key: coordinatorKeyName } };
  return createPod(job, run, {
    metadata: { name: coordinatorName(run), labels: coordinatorLabels },
    container: {
      name: "coordinator",
      args: ["load", "coordinate", "--port", String(coordinatorPort), ...distressArgs],
      env: [{ name: coordinatorKeyName, valueFrom: keySource }],
    },
  });
}

const createCoordinatorService = (run: ClusterRun): Manifest => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: coordinatorName(run) },
  spec: { selector: { [runLabel]: run.name, ...coordinatorLabels }, ports: [{ port: coordinatorPort }] },
});

const customizers: Readonly<Record<string, (manifest: unknown, run: ClusterRun) => Manifest | undefined>> = {
  Namespace: () => undefined,
  PersistentVolumeClaim: (manifest, { storageClass }) =>
    extend(manifest, ["spec"], storageClass === undefined ? {} : { storageClassName: storageClass }),
  TestRun: customizeTestRun,
  Job: createCoordinatorPod,
};

function customize(manifest: unknown, run: ClusterRun): Manifest | undefined {
  const kind = String(member(manifest, "kind"));
  const renamed = renameObjects(manifest, run.name);
  if (kind === "ConfigMap" && member(member(manifest, "metadata"), "name") === `${baseName}-plan`) {
    return extend(renamed, [], { data: { "plan.json": JSON.stringify(run.plan, undefined, 2) } });
  }
  return customizers[kind] === undefined ? extend(renamed, [], {}) : customizers[kind](renamed, run);
}

const createMap = (name: string, data: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});

const createMaps = ({ name, script, authorities }: ClusterRun): readonly Manifest[] => [
  ...("text" in script ? [createMap(`${name}-script`, { [scriptFile]: script.text })] : []),
  ...(authorities === undefined ? [] : [createMap(`${name}-authorities`, { "authorities.pem": authorities.join("") })]),
];

/**
 * Renders the objects of a run from `scenarios/deploy/base`, in the order in which they are to be created: the `TestRun` is the last. The
 * Secret is not among them.
 */
export function renderRun(run: ClusterRun): readonly Manifest[] {
  const manifests = readBase().flatMap((manifest) => customize(manifest, run) ?? []);
  return [createCoordinatorService(run), ...createMaps(run), ...manifests]
    .map((manifest) => addLabel(manifest, run))
    .toSorted((left, right) => Number(left["kind"] === "TestRun") - Number(right["kind"] === "TestRun"));
}

/** Renders the Secret. Pass it only to the standard input of kubectl. */
export const renderSecret = (run: ClusterRun, values: Readonly<Record<string, string>>): Manifest =>
  addLabel({ apiVersion: "v1", kind: "Secret", metadata: { name: secretName(run) }, stringData: values }, run);

/** Formats manifests for people. */
export const formatManifests = (manifests: readonly Manifest[]): string =>
  manifests.map((manifest) => stringify(manifest, { lineWidth: 0 })).join("---\n");

/** Renders a pod that only waits, to fetch the results if there is no coordinator any more. */
export function renderFetchPod(run: ClusterRun): Manifest {
  const job = readBase().find((manifest) => member(manifest, "kind") === "Job");
  const container = { name: "fetch", args: [], command: ["sleep", String(run.maxSeconds)] };
  return addLabel(
    createPod(renameObjects(job, run.name), run, { metadata: { name: fetchPodName(run) }, container }),
    run,
  );
}
