import { at, listOf, ofKind } from "./manifest-folder.ts";
import type { ManifestFile } from "./manifest-folder.ts";

/** References by name: the member, the key of the name in it, and the kind it refers to. */
const references = [
  { member: "configMapRef", nameIn: "name", kind: "ConfigMap" },
  { member: "configMapKeyRef", nameIn: "name", kind: "ConfigMap" },
  { member: "configMap", nameIn: "name", kind: "ConfigMap" },
  { member: "secretRef", nameIn: "name", kind: "Secret" },
  { member: "secretKeyRef", nameIn: "name", kind: "Secret" },
  { member: "persistentVolumeClaim", nameIn: "claimName", kind: "PersistentVolumeClaim" },
] as const;

const resultsFolder = "/results";

/** Problems of well-formed manifests with each other, one sentence each. */
export const manifestProblems = (files: readonly ManifestFile[]): readonly string[] => [
  ...listedProblems(files),
  ...referenceProblems(files),
  ...mountProblems(files),
  ...secretProblems(files),
  ...mergeProblems(ofKind(files, "TestRun"), ofKind(files, "Job")),
];

/** Problems of the pods of complete manifests: rights they should not have and missing resources, one sentence each. */
export const podProblems = (files: readonly ManifestFile[]): readonly string[] => [
  ...securityProblems(files),
  ...amountProblems(files),
  ...(at(ofKind(files, "Job"), "spec", "suspend") === true
    ? []
    : ["the merge Job is not suspended, so that it begins before there is anything to merge"]),
];

/** Every file is listed once, and every entry is a file. */
function listedProblems(files: readonly ManifestFile[]): readonly string[] {
  const kustomization = ofKind(files, "Kustomization");
  const listed = [
    ...listOf(at(kustomization, "resources")),
    ...listOf(at(kustomization, "patches")).map((patch) => at(patch, "path")),
  ].filter((entry) => entry !== "../../base");
  const there = files.map(({ file }) => file).filter((file) => file !== "kustomization.yaml");
  return [
    ...there.filter((file) => !listed.includes(file)).map((file) => `${file} is not listed by the kustomization`),
    ...listed
      .filter((entry, index) => typeof entry !== "string" || !there.includes(entry) || listed.indexOf(entry) !== index)
      .map((entry) => `the kustomization lists ${String(entry)}, which is no file, or lists it twice`),
  ];
}

/** All values inside a manifest, itself included, each with the name of the member that holds it. */
function* members(value: unknown, name = ""): Generator<readonly [name: string, value: unknown]> {
  yield [name, value];
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield* members(inner, Array.isArray(value) ? name : key);
    }
  }
}

/** Every resource that a reference names exists. */
const referenceProblems = (files: readonly ManifestFile[]): readonly string[] =>
  files.flatMap(({ file, manifest }) =>
    [...members(manifest)].flatMap(([name, value]) =>
      references
        .filter(({ member, nameIn }) => member === name && typeof at(value, nameIn) === "string")
        .filter(({ kind, nameIn }) => !hasManifest(files, kind, at(value, nameIn)))
        .map(
          ({ kind, nameIn }) => `${file} refers to the ${kind} ${String(at(value, nameIn))}, which no file describes`,
        ),
    ),
  );

const hasManifest = (files: readonly ManifestFile[], kind: string, name: unknown): boolean =>
  files.some(({ manifest }) => at(manifest, "kind") === kind && at(manifest, "metadata", "name") === name);

/** Each place that mounts volumes, with what it mounts and what it may. */
const podsOf = (files: readonly ManifestFile[]): readonly (readonly [string, unknown, unknown])[] => {
  const run = at(ofKind(files, "TestRun"), "spec");
  const merge = at(ofKind(files, "Job"), "spec", "template", "spec");
  return [
    ["the initializer", at(run, "initializer", "volumeMounts"), at(run, "initializer", "volumes")],
    ["the runner", at(run, "runner", "volumeMounts"), at(run, "runner", "volumes")],
    ["the merge Job", at(merge, "containers", 0, "volumeMounts"), at(merge, "volumes")],
  ];
};

/** Mounts and volumes of a pod have the same names. */
const mountProblems = (files: readonly ManifestFile[]): readonly string[] =>
  podsOf(files).flatMap(([pod, mounts, volumes]) => {
    const mounted = listOf(mounts).map((mount) => at(mount, "name"));
    const known = listOf(volumes).map((volume) => at(volume, "name"));
    return [
      ...mounted
        .filter((name) => !known.includes(name))
        .map((name) => `${pod} mounts ${String(name)}, which is not a volume`),
      ...known
        .filter((name) => !mounted.includes(name))
        .map((name) => `${pod} never mounts its volume ${String(name)}`),
    ];
  });

/** No token may be committed, or be set where the operator copies values into an archive. */
function secretProblems(files: readonly ManifestFile[]): readonly string[] {
  const real = files
    .filter(({ manifest }) => at(manifest, "kind") === "Secret")
    .filter(({ manifest }) =>
      Object.values(Object(at(manifest, "stringData"))).some((value) => value !== "PLACEHOLDER"),
    )
    .map(({ file }) => `${file} contains something other than PLACEHOLDER`);
  const run = at(ofKind(files, "TestRun"), "spec");
  const plain = ["initializer", "runner"].flatMap((pod) =>
    listOf(at(run, pod, "env"))
      .map((variable) => at(variable, "name"))
      .filter((name) => typeof name === "string" && /TOKEN|HEADERS|SECRET|PASSWORD/u.test(name))
      .map((name) => `${String(name)} of the ${pod} belongs in a Secret that envFrom names`),
  );
  return [...real, ...plain];
}

/** Required values in the security context of each pod and container. */
const podSecurity = [
  { path: ["runAsNonRoot"], value: true },
  { path: ["seccompProfile", "type"], value: "RuntimeDefault" },
] as const;
const containerSecurity = [
  { path: ["allowPrivilegeEscalation"], value: false },
  { path: ["readOnlyRootFilesystem"], value: true },
  { path: ["capabilities", "drop", 0], value: "ALL" },
] as const;

/**
 * No pod may run as root, write to its own file system, have more capabilities than it needs, or get a token of the
 * cluster.
 */
function securityProblems(files: readonly ManifestFile[]): readonly string[] {
  const run = at(ofKind(files, "TestRun"), "spec");
  const merge = at(ofKind(files, "Job"), "spec", "template", "spec");
  const pods = [
    {
      name: "the initializer",
      pod: at(run, "initializer"),
      container: at(run, "initializer", "containerSecurityContext"),
    },
    { name: "the runner", pod: at(run, "runner"), container: at(run, "runner", "containerSecurityContext") },
    { name: "the merge Job", pod: merge, container: at(merge, "containers", 0, "securityContext") },
  ];
  return pods.flatMap(({ name, pod, container }) => [
    ...podSecurity
      .filter(({ path, value }) => at(pod, "securityContext", ...path) !== value)
      .map(({ path, value }) => `${name} needs ${path.join(".")}: ${String(value)} in its securityContext`),
    ...containerSecurity
      .filter(({ path, value }) => at(container, ...path) !== value)
      .map(({ path, value }) => `the container of ${name} needs ${path.join(".")}: ${String(value)}`),
    ...(String(at(pod, "automountServiceAccountToken")) === "false" ? [] : [`${name} gets a token of the cluster`]),
  ]);
}

/** Amounts of processor, memory and storage need a Kubernetes unit, which the schema does not check. */
const amountProblems = (files: readonly ManifestFile[]): readonly string[] =>
  files.flatMap(({ file, manifest }) =>
    [...members(manifest)]
      .filter(([name]) => name === "requests" || name === "limits")
      .flatMap(([, amounts]) => Object.entries(Object(amounts)))
      .filter(([, amount]) => !/^[0-9]+(?:m|Mi|Gi)?$/u.test(String(amount)))
      .map(([name, amount]) => `${file} has ${name}: ${String(amount)}, which is not an amount such as 200m or 2Gi`),
  );

/** The merge Job must read the folder of each runner, and no other. */
function mergeProblems(testRun: unknown, job: unknown): readonly string[] {
  const parallelism = at(testRun, "spec", "parallelism");
  const args = listOf(at(job, "spec", "template", "spec", "containers", 0, "args"));
  const name = String(at(testRun, "metadata", "name"));
  const runners = Array.from(
    { length: Number(parallelism) || 0 },
    (_, index) => `${resultsFolder}/${name}-${index + 1}`,
  );
  const expected = ["load", "merge", ...runners, "--out", `${resultsFolder}/merged`];
  return JSON.stringify(args) === JSON.stringify(expected)
    ? []
    : [`the merge Job gets \`${args.join(" ")}\`, but ${String(parallelism)} runners need \`${expected.join(" ")}\``];
}
