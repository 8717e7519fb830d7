import { getAt, asList, findManifest } from "./manifest-folder.ts";
import type { ManifestFile } from "./manifest-folder.ts";

/** The Secret that a user creates. */
const externalSecret = "assay-load-token";

/** References by name: the member, the key of the name in it, and the kind it refers to. */
const references = [
  { member: "configMapRef", nameKey: "name", kind: "ConfigMap" },
  { member: "configMapKeyRef", nameKey: "name", kind: "ConfigMap" },
  { member: "configMap", nameKey: "name", kind: "ConfigMap" },
  { member: "secretRef", nameKey: "name", kind: "Secret" },
  { member: "secretKeyRef", nameKey: "name", kind: "Secret" },
  { member: "persistentVolumeClaim", nameKey: "claimName", kind: "PersistentVolumeClaim" },
] as const;

const resultsFolder = "/results";

/** Finds contradictions between well-formed manifests, one sentence each. */
export const findManifestProblems = (files: readonly ManifestFile[]): readonly string[] => [
  ...findListProblems(files),
  ...findReferenceProblems(files),
  ...findMountProblems(files),
  ...findSecretProblems(files),
  ...findMergeProblems(findManifest(files, "TestRun"), findManifest(files, "Job")),
];

/** Finds problems of the pods of complete manifests, one sentence each: rights they should not have, missing resources. */
export const findPodProblems = (files: readonly ManifestFile[]): readonly string[] => [
  ...findSecurityProblems(files),
  ...findAmountProblems(files),
  ...(getAt(findManifest(files, "Job"), "spec", "suspend") === true
    ? []
    : ["the merge Job is not suspended, so that it begins before there is anything to merge"]),
];

/** Checks that every file is listed once, and that every entry is a file. */
function findListProblems(files: readonly ManifestFile[]): readonly string[] {
  const kustomization = findManifest(files, "Kustomization");
  const listedEntries = [
    ...asList(getAt(kustomization, "resources")),
    ...asList(getAt(kustomization, "patches")).map((patch) => getAt(patch, "path")),
  ].filter((entry) => entry !== "../../base");
  const fileNames = files.map(({ file }) => file).filter((file) => file !== "kustomization.yaml");
  return [
    ...fileNames
      .filter((file) => !listedEntries.includes(file))
      .map((file) => `${file} is not listed by the kustomization`),
    ...listedEntries
      .filter(
        (entry, index) =>
          typeof entry !== "string" || !fileNames.includes(entry) || listedEntries.indexOf(entry) !== index,
      )
      .map((entry) => `the kustomization lists ${String(entry)}, which is no file, or lists it twice`),
  ];
}

/** Yields all values in a manifest, itself included, each with the name of the member that holds it. */
function* walkMembers(value: unknown, name = ""): Generator<readonly [name: string, value: unknown]> {
  yield [name, value];
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield* walkMembers(inner, Array.isArray(value) ? name : key);
    }
  }
}

/** Checks that every referenced resource exists. */
const findReferenceProblems = (files: readonly ManifestFile[]): readonly string[] =>
  files.flatMap(({ file, manifest }) =>
    [...walkMembers(manifest)].flatMap(([name, value]) =>
      references
        .filter(({ member, nameKey }) => member === name && typeof getAt(value, nameKey) === "string")
        .filter(({ kind, nameKey }) => !hasManifest(files, kind, getAt(value, nameKey)))
        .map(
          ({ kind, nameKey }) =>
            `${file} refers to the ${kind} ${String(getAt(value, nameKey))}, which no file describes`,
        ),
    ),
  );

const hasManifest = (files: readonly ManifestFile[], kind: string, name: unknown): boolean =>
  (kind === "Secret" && name === externalSecret) ||
  files.some(({ manifest }) => getAt(manifest, "kind") === kind && getAt(manifest, "metadata", "name") === name);

/** Lists the pods, each with its volume mounts and its volumes. */
const listPodMounts = (files: readonly ManifestFile[]): readonly (readonly [string, unknown, unknown])[] => {
  const run = getAt(findManifest(files, "TestRun"), "spec");
  const merge = getAt(findManifest(files, "Job"), "spec", "template", "spec");
  return [
    ["the initializer", getAt(run, "initializer", "volumeMounts"), getAt(run, "initializer", "volumes")],
    ["the runner", getAt(run, "runner", "volumeMounts"), getAt(run, "runner", "volumes")],
    ["the merge Job", getAt(merge, "containers", 0, "volumeMounts"), getAt(merge, "volumes")],
  ];
};

/** Checks that the mounts and the volumes of a pod have the same names. */
const findMountProblems = (files: readonly ManifestFile[]): readonly string[] =>
  listPodMounts(files).flatMap(([pod, mounts, volumes]) => {
    const mountNames = asList(mounts).map((mount) => getAt(mount, "name"));
    const volumeNames = asList(volumes).map((volume) => getAt(volume, "name"));
    return [
      ...mountNames
        .filter((name) => !volumeNames.includes(name))
        .map((name) => `${pod} mounts ${String(name)}, which is not a volume`),
      ...volumeNames
        .filter((name) => !mountNames.includes(name))
        .map((name) => `${pod} never mounts its volume ${String(name)}`),
    ];
  });

/**
 * Checks that no Secret is committed, which would replace the token whenever the files are applied, and that no token is set where the
 * operator copies values into an archive.
 */
function findSecretProblems(files: readonly ManifestFile[]): readonly string[] {
  const secretProblems = files
    .filter(({ manifest }) => getAt(manifest, "kind") === "Secret")
    .map(({ file }) => `${file} is a Secret: applied again, it would replace the token`);
  const run = getAt(findManifest(files, "TestRun"), "spec");
  const environmentProblems = ["initializer", "runner"].flatMap((pod) =>
    asList(getAt(run, pod, "env"))
      .map((variable) => getAt(variable, "name"))
      .filter((name) => typeof name === "string" && /TOKEN|HEADERS|SECRET|PASSWORD/u.test(name))
      .map((name) => `${String(name)} of the ${pod} belongs in a Secret that envFrom names`),
  );
  return [...secretProblems, ...environmentProblems];
}

/** Required values in the security context of each pod and container. */
const requiredPodSecurity = [
  { path: ["runAsNonRoot"], value: true },
  { path: ["seccompProfile", "type"], value: "RuntimeDefault" },
] as const;
const requiredContainerSecurity = [
  { path: ["allowPrivilegeEscalation"], value: false },
  { path: ["readOnlyRootFilesystem"], value: true },
  { path: ["capabilities", "drop", 0], value: "ALL" },
] as const;

/**
 * Checks that no pod runs as root, can write to its own file system, has more capabilities than it needs, or gets a
 * cluster token.
 */
function findSecurityProblems(files: readonly ManifestFile[]): readonly string[] {
  const run = getAt(findManifest(files, "TestRun"), "spec");
  const merge = getAt(findManifest(files, "Job"), "spec", "template", "spec");
  const pods = [
    {
      name: "the initializer",
      pod: getAt(run, "initializer"),
      container: getAt(run, "initializer", "containerSecurityContext"),
    },
    { name: "the runner", pod: getAt(run, "runner"), container: getAt(run, "runner", "containerSecurityContext") },
    { name: "the merge Job", pod: merge, container: getAt(merge, "containers", 0, "securityContext") },
  ];
  return pods.flatMap(({ name, pod, container }) => [
    ...requiredPodSecurity
      .filter(({ path, value }) => getAt(pod, "securityContext", ...path) !== value)
      .map(({ path, value }) => `${name} needs ${path.join(".")}: ${String(value)} in its securityContext`),
    ...requiredContainerSecurity
      .filter(({ path, value }) => getAt(container, ...path) !== value)
      .map(({ path, value }) => `the container of ${name} needs ${path.join(".")}: ${String(value)}`),
    ...(String(getAt(pod, "automountServiceAccountToken")) === "false" ? [] : [`${name} gets a token of the cluster`]),
  ]);
}

/** Checks that amounts of processor time, memory and storage have a Kubernetes unit. The schema does not check this. */
const findAmountProblems = (files: readonly ManifestFile[]): readonly string[] =>
  files.flatMap(({ file, manifest }) =>
    [...walkMembers(manifest)]
      .filter(([name]) => name === "requests" || name === "limits")
      .flatMap(([, amounts]) => Object.entries(Object(amounts)))
      .filter(([, amount]) => !/^[0-9]+(?:m|Mi|Gi)?$/u.test(String(amount)))
      .map(([name, amount]) => `${file} has ${name}: ${String(amount)}, which is not an amount such as 200m or 2Gi`),
  );

/** Checks that the merge Job reads the folder of each runner, and no other. */
function findMergeProblems(testRun: unknown, job: unknown): readonly string[] {
  const parallelism = getAt(testRun, "spec", "parallelism");
  const args = asList(getAt(job, "spec", "template", "spec", "containers", 0, "args"));
  const name = String(getAt(testRun, "metadata", "name"));
  const runners = Array.from(
    { length: Number(parallelism) || 0 },
    (_, index) => `${resultsFolder}/${name}-${index + 1}`,
  );
  const expectedArgs = ["load", "merge", ...runners, "--out", `${resultsFolder}/merged`];
  return JSON.stringify(args) === JSON.stringify(expectedArgs)
    ? []
    : [
        `the merge Job gets \`${args.join(" ")}\`, but ${String(parallelism)} runners need \`${expectedArgs.join(" ")}\``,
      ];
}
