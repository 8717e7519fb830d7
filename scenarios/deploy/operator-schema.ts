import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { at, listOf } from "./manifest-folder.ts";

const moduleFolder = fileURLToPath(new URL("crd/", import.meta.url));
const downloadMs = 120_000;
const apiVersion = "v1alpha1";

/** The requirement of `crd/go.mod`, as `path@version`. */
export function pinnedOperator(): string {
  const [, path = "", version = ""] =
    /^require (\S+) (\S+)$/mu.exec(readFileSync(join(moduleFolder, "go.mod"), "utf8")) ?? [];
  return `${path}@${version}`;
}

/** Where Go keeps the pinned release of the operator; fetches it when it is not there yet. Throws without Go or network. */
function operatorFolder(): string {
  const answer = execFileSync("go", ["mod", "download", "-json", pinnedOperator()], {
    cwd: moduleFolder,
    encoding: "utf8",
    timeout: downloadMs,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const folder = at(JSON.parse(answer), "Dir");
  if (typeof folder !== "string") {
    throw new Error(`go mod download ${pinnedOperator()} names no folder`);
  }
  return folder;
}

/**
 * The JSON Schema of a TestRun, out of the custom resource definition that the operator ships. The server of Kubernetes drops
 * members that a definition does not name; here they are errors, so that a typing mistake is one.
 */
export function testRunSchema(): object {
  const file = join(operatorFolder(), "config/crd/bases/k6.io_testruns.yaml");
  const versions = listOf(at(parse(readFileSync(file, "utf8")), "spec", "versions"));
  const schema = at(
    versions.find((version) => at(version, "name") === apiVersion),
    "schema",
    "openAPIV3Schema",
  );
  const strict = withoutUnknownMembers(schema);
  if (typeof strict !== "object" || strict === null) {
    throw new Error(`${file} holds no schema for ${apiVersion}`);
  }
  // The two are free in the definition, because every kind has them.
  return { ...strict, required: ["apiVersion", "kind", "metadata", "spec"] };
}

/** The same schema, with every object closed that lists its members. */
function withoutUnknownMembers(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(withoutUnknownMembers);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withoutUnknownMembers(value)]));
  const isOpen = inner["x-kubernetes-preserve-unknown-fields"] === true || "additionalProperties" in inner;
  return at(inner, "type") === "object" && "properties" in inner && !isOpen
    ? { ...inner, additionalProperties: false }
    : inner;
}
