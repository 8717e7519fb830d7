import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { checkedPlan } from "../lib/check-plan.ts";
import { getScenarioFacts, scenarioNames } from "../src/index.ts";
import { getAt, findManifest, readManifests } from "./manifest-folder.ts";
import type { ManifestFile } from "./manifest-folder.ts";
import { findManifestProblems, findPodProblems } from "./manifest-problems.ts";
import { createKubernetesSchemas, getPinnedVersion } from "./kubernetes-schemas.ts";
import { hasTool, isRequired } from "./tool-on-path.ts";

const baseFolder = new URL("base/", import.meta.url);
const overlayFolder = new URL("overlays/example/", import.meta.url);
const base = readManifests(baseFolder);

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });

/** Schema errors of a value, each with its place. */
const errorsOf = (schema: object, value: unknown): readonly string[] => {
  const validate = ajv.compile(schema);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

const kindOf = (manifest: unknown): string => String(getAt(manifest, "kind"));

/** The definitions of Kubernetes and of the operator. Undefined if Go or its modules are not available and not required. */
const schemas = ((): ReadonlyMap<string, object> | undefined => {
  if (!hasTool("go")) {
    return undefined;
  }
  try {
    return createKubernetesSchemas();
  } catch (error) {
    if (isRequired("go")) {
      throw new Error("the definitions of the manifests are not available", { cause: error });
    }
    return undefined;
  }
})();

/** Schema errors of a manifest. None for versions that the definitions do not have. */
const formErrors = (manifest: unknown): readonly string[] => {
  const schema = schemas?.get(`${String(getAt(manifest, "apiVersion"))} ${kindOf(manifest)}`);
  return errorsOf(schema ?? { not: {} }, manifest);
};

/** Kustomize's own file is not a Kubernetes manifest. */
const kustomizationSchema = {
  type: "object",
  properties: {
    apiVersion: { const: "kustomize.config.k8s.io/v1beta1" },
    kind: { const: "Kustomization" },
    namespace: { type: "string" },
    resources: { type: "array", items: { type: "string" }, minItems: 1 },
    patches: { type: "array", items: { type: "object", required: ["path"] } },
    images: { type: "array", items: { type: "object", required: ["name", "newName", "newTag"] } },
  },
  required: ["apiVersion", "kind", "namespace", "resources"],
  additionalProperties: false,
};

/** A copy of the base with another value at a path of one manifest; `undefined` removes it. */
const changed = (kind: string, path: readonly (string | number)[], value: unknown): readonly ManifestFile[] => {
  const copy = structuredClone(base);
  const holder = getAt(findManifest(copy, kind), ...path.slice(0, -1));
  Reflect.set(Object(holder), path.at(-1) ?? "", value);
  return copy;
};

describe("the base", () => {
  test("fits together", () => {
    expect([...findManifestProblems(base), ...findPodProblems(base)]).toEqual([]);
  });

  test("contains everything that a run on several pods needs", () => {
    expect(base.map(({ manifest }) => kindOf(manifest)).sort()).toEqual(
      ["ConfigMap", "ConfigMap", "Job", "Kustomization", "Namespace", "PersistentVolumeClaim", "TestRun"].sort(),
    );
  });

  test("leaves judging to the merge Job, and gives the token only to the runners", () => {
    const run = findManifest(base, "TestRun");
    expect(getAt(run, "spec", "arguments")).toBe("--no-thresholds");
    expect(JSON.stringify(getAt(run, "spec", "initializer"))).not.toContain("assay-load-token");
    expect(JSON.stringify(getAt(run, "spec", "runner", "envFrom"))).toContain("assay-load-token");
  });
});

describe("a plan", () => {
  const plans = [
    { name: "the base", files: base },
    { name: "the example", files: readManifests(overlayFolder) },
  ].map(({ name, files }) => ({
    name,
    plan: String(getAt(files.find(({ file }) => file === "plan.yaml")?.manifest, "data", "plan.json")),
  }));

  test.each(plans)(
    "of $name can be followed by the scenario that the runners start, and asks no questions",
    ({ plan }) => {
      const script = getAt(findManifest(base, "TestRun"), "spec", "script", "localFile");
      const parsed: unknown = JSON.parse(plan);
      const scenario = scenarioNames.find((name) => name === getAt(parsed, "scenario"));
      expect(script).toBe(`/scenarios/${scenario}.js`);
      // An unknown name fails above.
      const facts = getScenarioFacts(scenario ?? "mixed");
      expect(checkedPlan(parsed, facts)).toEqual(parsed);
      expect(facts.asksQuestions).toBe(false);
    },
  );
});

describe("manifests that do not fit together are found", () => {
  const runner = ["spec", "runner"];
  test.each([
    {
      name: "a ConfigMap of another name",
      kind: "ConfigMap",
      path: ["metadata", "name"],
      value: "x",
      says: /ConfigMap/u,
    },
    {
      name: "a Secret that the guide does not create",
      kind: "TestRun",
      path: [...runner, "envFrom", 1, "secretRef", "name"],
      value: "x",
      says: /the Secret x/u,
    },
    {
      name: "a claim of another name",
      kind: "PersistentVolumeClaim",
      path: ["metadata", "name"],
      value: "x",
      says: /PersistentVolumeClaim assay-load-results/u,
    },
    {
      name: "a file that is not listed",
      kind: "Kustomization",
      path: ["resources", 3],
      value: "plan.yaml",
      says: /results-claim/u,
    },
    {
      name: "a missing listed file",
      kind: "Kustomization",
      path: ["resources", 6],
      value: "a.yaml",
      says: /a\.yaml/u,
    },
    { name: "more runners than folders", kind: "TestRun", path: ["spec", "parallelism"], value: 5, says: /5 runners/u },
    { name: "a run of another name", kind: "TestRun", path: ["metadata", "name"], value: "other", says: /other-1/u },
    {
      name: "a committed Secret",
      kind: "ConfigMap",
      path: ["kind"],
      value: "Secret",
      says: /would replace the token/u,
    },
    {
      name: "a token under env",
      kind: "TestRun",
      path: [...runner, "env", 0, "name"],
      value: "ASSAY_TOKEN",
      says: /envFrom/u,
    },
    {
      name: "a mount without volume",
      kind: "TestRun",
      path: [...runner, "volumes", 2, "name"],
      value: "r",
      says: /not a volume/u,
    },
    {
      name: "a merge Job that starts at once",
      kind: "Job",
      path: ["spec", "suspend"],
      value: false,
      says: /not suspended/u,
    },
    {
      name: "a merge Job that runs as root",
      kind: "Job",
      path: ["spec", "template", "spec", "securityContext", "runAsNonRoot"],
      value: false,
      says: /merge Job needs runAsNonRoot/u,
    },
    {
      name: "a runner that may write its file system",
      kind: "TestRun",
      path: [...runner, "containerSecurityContext", "readOnlyRootFilesystem"],
      value: false,
      says: /runner needs readOnly/u,
    },
    {
      name: "an initializer with a token of the cluster",
      kind: "TestRun",
      path: ["spec", "initializer", "automountServiceAccountToken"],
      value: "true",
      says: /token of the cluster/u,
    },
    {
      name: "an amount without a unit",
      kind: "PersistentVolumeClaim",
      path: ["spec", "resources", "requests", "storage"],
      value: "2 GB",
      says: /not an amount/u,
    },
  ])("$name", ({ kind, path, value, says }) => {
    const files = changed(kind, path, value);
    const problems = [...findManifestProblems(files), ...findPodProblems(files)];
    expect(problems.join("\n")).toMatch(says);
  });

  test("a repeated key", () => {
    expect(() => readManifests(new URL("fixtures/twice/", import.meta.url))).toThrow(
      /test-run\.yaml is not one document/u,
    );
  });
});

const definedBy = `${getPinnedVersion("k8s.io/client-go")} and ${getPinnedVersion("github.com/grafana/k6-operator")}`;

describe.skipIf(schemas === undefined)(
  `by the definitions of ${definedBy}${schemas === undefined ? " (skipped: no go)" : ""}`,
  () => {
    test.each(base.filter(({ manifest }) => kindOf(manifest) !== "Kustomization"))(
      "$file is well-formed",
      ({ manifest }) => {
        expect(formErrors(manifest)).toEqual([]);
      },
    );

    test.each([
      { kind: "Job", path: ["spec", "backofLimit"], value: 1 },
      { kind: "Job", path: ["spec", "suspend"], value: "true" },
      { kind: "Job", path: ["spec", "template", "spec", "containers", 0, "name"], value: undefined },
      { kind: "Job", path: ["spec", "template", "spec", "containers", 0, "volumeMount"], value: [] },
      { kind: "PersistentVolumeClaim", path: ["spec", "accessModes"], value: "ReadWriteMany" },
      { kind: "ConfigMap", path: ["data"], value: { "plan.json": {} } },
      { kind: "Namespace", path: ["apiVersion"], value: "v2" },
      { kind: "TestRun", path: ["spec", "paralelism"], value: 4 },
      { kind: "TestRun", path: ["spec", "parallelism"], value: "4" },
      { kind: "TestRun", path: ["spec", "parallelism"], value: undefined },
      { kind: "TestRun", path: ["spec", "script"], value: undefined },
      { kind: "TestRun", path: ["spec", "script", "local"], value: "/x.js" },
      { kind: "TestRun", path: ["spec", "cleanup"], value: "pre" },
      { kind: "TestRun", path: ["spec", "runner", "automountServiceAccountToken"], value: false },
      { kind: "TestRun", path: ["spec", "runner", "envFrom", 0, "configmapRef"], value: { name: "x" } },
      { kind: "TestRun", path: ["spec", "runner", "volumes", 0, "name"], value: undefined },
      { kind: "TestRun", path: ["spec", "runner", "containerSecurityContext", "privilege"], value: true },
    ])("a $kind with $value at $path is refused", ({ kind, path, value }) => {
      expect(formErrors(JSON.parse(JSON.stringify(findManifest(changed(kind, path, value), kind))))).not.toEqual([]);
    });
  },
);

describe("a kustomization", () => {
  test.each([
    { name: "of the base", files: base },
    { name: "of the example", files: readManifests(overlayFolder) },
  ])("$name is well-formed", ({ files }) => {
    expect(errorsOf(kustomizationSchema, findManifest(files, "Kustomization"))).toEqual([]);
  });

  test("with a member that is misspelt is refused", () => {
    expect(
      errorsOf(kustomizationSchema, findManifest(changed("Kustomization", ["resource"], []), "Kustomization")),
    ).not.toEqual([]);
  });
});

const hasKubectl = hasTool("kubectl");
const rendered = (folder: URL): readonly ManifestFile[] =>
  parseAllDocuments(
    execFileSync("kubectl", ["kustomize", fileURLToPath(folder)], { encoding: "utf8", timeout: 300_000 }),
  ).map((document) => ({ file: kindOf(document.toJS()), manifest: document.toJS() }));

describe.skipIf(!hasKubectl)(`rendered by kustomize${hasKubectl ? "" : " (skipped: no kubectl)"}`, () => {
  test.each([
    { name: "the base", folder: baseFolder },
    { name: "the example", folder: overlayFolder },
  ])("$name is well-formed and fits together", ({ folder }) => {
    const files = rendered(folder);
    expect(files).toHaveLength(7 - 1);
    expect(files.flatMap(({ manifest }) => (schemas === undefined ? [] : formErrors(manifest)))).toEqual([]);
    expect(findPodProblems(files)).toEqual([]);
    expect(
      findManifestProblems(files).filter((problem) => !problem.endsWith("is not listed by the kustomization")),
    ).toEqual([]);
  });

  test("the example changes what it documents", () => {
    const files = rendered(overlayFolder);
    expect(getAt(findManifest(files, "TestRun"), "spec", "parallelism")).toBe(2);
    expect(getAt(findManifest(files, "PersistentVolumeClaim"), "spec", "storageClassName")).toBe("shared-files");
    const images = JSON.stringify(files).match(/"image":"[^"]*"/gu) ?? [];
    expect(images).toHaveLength(3);
    expect(images.every((image) => image.startsWith('"image":"registry.example.com/load/'))).toBe(true);
  });
});

describe("the example", () => {
  const overlay = readManifests(overlayFolder);

  test("lists its files, and its merge Job reads the folders of its runners", () => {
    expect(findManifestProblems(overlay)).toEqual([]);
  });

  test("patches nothing that the base does not have", () => {
    const keyOf = (manifest: unknown): string => `${kindOf(manifest)}/${String(getAt(manifest, "metadata", "name"))}`;
    const known = new Set(base.map(({ manifest }) => keyOf(manifest)));
    const patches = overlay.filter(({ file }) => file !== "kustomization.yaml").map(({ manifest }) => keyOf(manifest));
    expect(patches.filter((patch) => !known.has(patch))).toEqual([]);
  });
});
