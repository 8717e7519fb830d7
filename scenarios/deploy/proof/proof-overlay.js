import { chmodSync, chownSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const deployFolder = fileURLToPath(new URL("../", import.meta.url));
/** The user of the pods. */
const podUser = 12_345;

const toYaml = (...manifests) => manifests.map((manifest) => `${JSON.stringify(manifest, null, 2)}\n`).join("---\n");

const runnerNames = (parallelism) => Array.from({ length: parallelism }, (_, index) => `assay-load-${index + 1}`);

/**
 * Writes an overlay on top of `overlays/example`, as a user would: plan, number of runners and storage. Its name is that of its namespace.
 * Runners request less of the processor, so that all find a
 * place, and are spread over the nodes. Returns the folder of the overlay, and that of the claim.
 */
export function writeProofOverlay(work, { name, plan, parallelism }) {
  const deploy = join(work, "deploy");
  for (const folder of ["base", "overlays/example"]) {
    cpSync(join(deployFolder, folder), join(deploy, folder), { recursive: true });
  }
  const results = join(work, `results-${name}`);
  mkdirSync(results);
  // Kubernetes does not give a folder of the host to the group of a pod.
  chownSync(results, podUser, podUser);
  chmodSync(results, 0o2775);
  const overlay = join(deploy, "overlays", name);
  mkdirSync(overlay);
  const write = (file, ...manifests) => writeFileSync(join(overlay, file), toYaml(...manifests));
  write("kustomization.yaml", {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    namespace: name,
    resources: ["../example", "volume.yaml"],
    patches: ["plan.yaml", "test-run.yaml", "merge-job.yaml"].map((path) => ({ path })),
  });
  write("volume.yaml", {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `results-${name}` },
    spec: {
      capacity: { storage: "4Gi" },
      accessModes: ["ReadWriteMany"],
      storageClassName: "shared-files",
      persistentVolumeReclaimPolicy: "Retain",
      claimRef: { namespace: name, name: "assay-load-results" },
      hostPath: { path: results, type: "Directory" },
    },
  });
  write("plan.yaml", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "assay-load-plan" },
    data: { "plan.json": JSON.stringify(plan) },
  });
  write("test-run.yaml", {
    apiVersion: "k6.io/v1alpha1",
    kind: "TestRun",
    metadata: { name: "assay-load" },
    spec: {
      parallelism,
      separate: false,
      runner: {
        resources: { requests: { cpu: "100m", memory: "128Mi" } },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: "kubernetes.io/hostname",
            whenUnsatisfiable: "DoNotSchedule",
            labelSelector: { matchLabels: { app: "k6", runner: "true" } },
          },
        ],
      },
    },
  });
  const folders = runnerNames(parallelism).map((runner) => `/results/${runner}`);
  write("merge-job.yaml", {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "assay-load-merge" },
    spec: {
      template: {
        spec: {
          containers: [{ name: "merge", args: ["load", "merge", ...folders, "--out", "/results/merged"] }],
        },
      },
    },
  });
  return { overlay, results, parallelism, namespace: name };
}
