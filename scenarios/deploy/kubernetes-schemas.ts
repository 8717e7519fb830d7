import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { getAt, asList } from "./manifest-folder.ts";

const moduleFolder = fileURLToPath(new URL("definitions/", import.meta.url));
const downloadMs = 120_000;

const operatorModule = "github.com/grafana/k6-operator";
const kubernetesModule = "k8s.io/client-go";

/** OpenAPI documents of Kubernetes' core and job kinds. */
const apiFiles = ["api__v1_openapi.json", "apis__batch__v1_openapi.json"].map(
  (name) => `openapi/openapitest/testdata/${name}`,
);

/** Returns the requirement of `definitions/go.mod` for a module, as `path@version`. */
export function getPinnedVersion(path: string): string {
  const requirements = readFileSync(join(moduleFolder, "go.mod"), "utf8").split("\n");
  const version = requirements.map((line) => line.trim().split(" ")).find(([name]) => name === path)?.[1];
  return `${path}@${version ?? "which go.mod does not require"}`;
}

/** Reads a file of a pinned module, and downloads the module if needed. Throws without Go or network. */
function readModuleFile(path: string, file: string): string {
  const output = execFileSync("go", ["mod", "download", "-json", getPinnedVersion(path)], {
    cwd: moduleFolder,
    encoding: "utf8",
    timeout: downloadMs,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const folder = getAt(JSON.parse(output), "Dir");
  if (typeof folder !== "string") {
    throw new Error(`go mod download ${getPinnedVersion(path)} names no folder`);
  }
  return readFileSync(join(folder, file), "utf8");
}

/** Builds the JSON Schema of a TestRun from the operator's custom resource definition. */
function buildTestRunSchema(): object {
  const definition: unknown = parse(readModuleFile(operatorModule, "config/crd/bases/k6.io_testruns.yaml"));
  const version = asList(getAt(definition, "spec", "versions")).find(
    (candidate) => getAt(candidate, "name") === "v1alpha1",
  );
  // The definition leaves these four open, because every kind has them.
  return {
    ...Object(closeSchema(getAt(version, "schema", "openAPIV3Schema"))),
    required: ["apiVersion", "kind", "metadata", "spec"],
  };
}

/** Lists the names of a definition in the form `apiVersion kind`. */
const listDefinitionNames = (definition: unknown): readonly string[] =>
  asList(getAt(definition, "x-kubernetes-group-version-kind")).map((entry) => {
    const group = String(getAt(entry, "group"));
    return `${group === "" ? "" : `${group}/`}${String(getAt(entry, "version"))} ${String(getAt(entry, "kind"))}`;
  });

/**
 * Returns the JSON Schemas of manifests by `apiVersion kind`, such as `batch/v1 Job`, from Kubernetes and the operator.
 * Kubernetes ignores unknown members. Here they are errors, so that typos are found.
 */
export function createKubernetesSchemas(): ReadonlyMap<string, object> {
  const coreSchemas = apiFiles.flatMap((file) => {
    const schemas: unknown = getAt(
      closeSchema(JSON.parse(readModuleFile(kubernetesModule, file))),
      "components",
      "schemas",
    );
    return Object.entries(Object(schemas)).flatMap(([name, schema]) =>
      listDefinitionNames(schema).map((kind): readonly [string, object] => [
        kind,
        { $ref: `#/components/schemas/${name}`, components: { schemas } },
      ]),
    );
  });
  return new Map([...coreSchemas, ["k6.io/v1alpha1 TestRun", buildTestRunSchema()]]);
}

/** Forbids unknown members in every object that lists its members. */
function closeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(closeSchema);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  const closedMembers = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closeSchema(value)]));
  const isOpen =
    closedMembers["x-kubernetes-preserve-unknown-fields"] === true || "additionalProperties" in closedMembers;
  return getAt(closedMembers, "type") === "object" && "properties" in closedMembers && !isOpen
    ? { ...closedMembers, additionalProperties: false }
    : closedMembers;
}
