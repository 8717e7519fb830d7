import { readdirSync, readFileSync } from "node:fs";
import { parseDocument } from "yaml";

/** One parsed file of a kustomization, not validated. */
export interface ManifestFile {
  readonly file: string;
  readonly manifest: unknown;
}

/**
 * Reads the manifests of a folder, sorted by file name. Throws if a file is not exactly one YAML document, or repeats a
 * key. The message names the file.
 */
export function readManifests(folder: URL): readonly ManifestFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => ({ file, manifest: parseManifest(file, readFileSync(new URL(file, folder), "utf8")) }));
}

function parseManifest(file: string, text: string): unknown {
  const document = parseDocument(text);
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    throw new Error(`${file} is not one document of YAML: ${problem.message}`);
  }
  return document.toJS();
}

/** Returns the value at a path of keys and indexes, or undefined if a part is missing. */
export const getAt = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );

/** Returns a list as it is, and an empty list for anything else. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Finds the manifest of a kind. */
export const findManifest = (files: readonly ManifestFile[], kind: string): unknown =>
  files.find(({ manifest }) => getAt(manifest, "kind") === kind)?.manifest;
