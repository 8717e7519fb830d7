/**
 * What the manifests of the core kinds look like here. Stricter than the kinds themselves: a field that none of our manifests
 * uses is an error, so that a typing mistake is one.
 */

const text = { type: "string", minLength: 1 } as const;
const texts = { type: "array", items: text, minItems: 1 } as const;
const textMap = { type: "object", additionalProperties: { type: "string" }, minProperties: 1 } as const;
const resourceName = { type: "string", pattern: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" } as const;
const quantity = { type: "string", pattern: "^[0-9]+(m|Mi|Gi)?$" } as const;
const id = { type: "integer", minimum: 1 } as const;

/** An object with these members and no other; those that are not optional are required. */
const record = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const list = (items: object): object => ({ type: "array", items, minItems: 1 });
const metadata = record({ name: resourceName });

const kind = (apiVersion: string, name: string, members: Readonly<Record<string, object>>): object =>
  record({ apiVersion: { const: apiVersion }, kind: { const: name }, metadata, ...members });

const podSecurity = record({
  runAsNonRoot: { const: true },
  runAsUser: id,
  runAsGroup: id,
  fsGroup: id,
  seccompProfile: record({ type: { const: "RuntimeDefault" } }),
});

const containerSecurity = record({
  allowPrivilegeEscalation: { const: false },
  readOnlyRootFilesystem: { const: true },
  capabilities: record({ drop: { const: ["ALL"] } }),
});

const mount = record({ name: resourceName, mountPath: text, readOnly: { type: "boolean" } }, ["readOnly"]);

const volume = {
  ...record(
    {
      name: resourceName,
      persistentVolumeClaim: record({ claimName: resourceName }),
      emptyDir: record({}),
      configMap: record({ name: resourceName }),
    },
    ["persistentVolumeClaim", "emptyDir", "configMap"],
  ),
  // A name and exactly one source.
  minProperties: 2,
  maxProperties: 2,
};

const amounts = record({ cpu: quantity, memory: quantity }, ["cpu", "memory"]);

const container = record({
  name: resourceName,
  image: text,
  args: texts,
  securityContext: containerSecurity,
  resources: record({ requests: amounts, limits: amounts }),
  volumeMounts: list(mount),
});

const job = kind("batch/v1", "Job", {
  spec: record({
    suspend: { const: true },
    backoffLimit: { type: "integer", minimum: 0 },
    activeDeadlineSeconds: id,
    template: record({
      metadata: record({ labels: textMap }),
      spec: record({
        restartPolicy: { const: "Never" },
        automountServiceAccountToken: { const: false },
        securityContext: podSecurity,
        containers: list(container),
        volumes: list(volume),
      }),
    }),
  }),
});

const claim = kind("v1", "PersistentVolumeClaim", {
  spec: record(
    {
      accessModes: { const: ["ReadWriteMany"] },
      resources: record({ requests: record({ storage: quantity }) }),
      storageClassName: resourceName,
    },
    ["storageClassName"],
  ),
});

const kustomization = record(
  {
    apiVersion: { const: "kustomize.config.k8s.io/v1beta1" },
    kind: { const: "Kustomization" },
    namespace: resourceName,
    resources: texts,
    patches: list(record({ path: text })),
    images: list(record({ name: text, newName: text, newTag: text })),
  },
  ["patches", "images"],
);

/** By kind. `TestRun` is not among them: the operator says itself what it looks like. */
export const coreSchemas: Readonly<Record<string, object>> = {
  Namespace: kind("v1", "Namespace", {}),
  ConfigMap: kind("v1", "ConfigMap", { data: textMap }),
  Secret: kind("v1", "Secret", { type: { const: "Opaque" }, stringData: textMap }),
  PersistentVolumeClaim: claim,
  Job: job,
  Kustomization: kustomization,
};
