import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { at, listOf } from "./manifest-folder.ts";

const moduleFolder = fileURLToPath(new URL("definitions/", import.meta.url));
const downloadMs = 120_000;

const operator = "github.com/grafana/k6-operator";
const kubernetes = "k8s.io/client-go";

/** OpenAPI documents of Kubernetes' core and job kinds. */
const apiFiles = ["api__v1_openapi.json", "apis__batch__v1_openapi.json"].map(
  (name) => `openapi/openapitest/testdata/${name}`,
);

/** The requirement of `definitions/go.mod` for a module, as `path@version`. */
export function pinnedVersion(path: string): string {
  const requirements = readFileSync(join(moduleFolder, "go.mod"), "utf8").split("\n");
  const version = requirements.map((line) => line.trim().split(" ")).find(([name]) => name === path)?.[1];
  return `${path}@${version ?? "which go.mod does not require"}`;
}

/** A file of a pinned module, downloaded if needed. Throws without Go or network. */
function readModuleFile(path: string, file: string): string {
  const answer = execFileSync("go", ["mod", "download", "-json", pinnedVersion(path)], {
    cwd: moduleFolder,
    encoding: "utf8",
    timeout: downloadMs,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const folder = at(JSON.parse(answer), "Dir");
  if (typeof folder !== "string") {
    throw new Error(`go mod download ${pinnedVersion(path)} names no folder`);
  }
  return readFileSync(join(folder, file), "utf8");
}

/** The JSON Schema of a TestRun, from the operator's custom resource definition. */
function testRunSchema(): object {
  const definition: unknown = parse(readModuleFile(operator, "config/crd/bases/k6.io_testruns.yaml"));
  const version = listOf(at(definition, "spec", "versions")).find((candidate) => at(candidate, "name") === "v1alpha1");
  // The definition leaves these four open, because every kind has them.
  return {
    ...Object(closeSchema(at(version, "schema", "openAPIV3Schema"))),
    required: ["apiVersion", "kind", "metadata", "spec"],
  };
}

/** `apiVersion kind` of a definition. */
const definitionNames = (definition: unknown): readonly string[] =>
  listOf(at(definition, "x-kubernetes-group-version-kind")).map((entry) => {
    const group = String(at(entry, "group"));
    return `${group === "" ? "" : `${group}/`}${String(at(entry, "version"))} ${String(at(entry, "kind"))}`;
  });

/**
 * JSON Schemas of manifests by `apiVersion kind`, such as `batch/v1 Job`, from Kubernetes and the operator. Kubernetes
 * ignores unknown members. Here they are errors, so that typos are found.
 */
export function kubernetesSchemas(): ReadonlyMap<string, object> {
  const core = apiFiles.flatMap((file) => {
    const schemas: unknown = at(closeSchema(JSON.parse(readModuleFile(kubernetes, file))), "components", "schemas");
    return Object.entries(Object(schemas)).flatMap(([name, schema]) =>
      definitionNames(schema).map((kind): readonly [string, object] => [
        kind,
        { $ref: `#/components/schemas/${name}`, components: { schemas } },
      ]),
    );
  });
  return new Map([...core, ["k6.io/v1alpha1 TestRun", testRunSchema()]]);
}

/** Forbids unknown members in every object that lists its members. */
function closeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(closeSchema);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closeSchema(value)]));
  const isOpen = inner["x-kubernetes-preserve-unknown-fields"] === true || "additionalProperties" in inner;
  return at(inner, "type") === "object" && "properties" in inner && !isOpen
    ? { ...inner, additionalProperties: false }
    : inner;
}
