import { readdirSync, readFileSync } from "node:fs";
import { parseDocument } from "yaml";

/** One parsed file of a kustomization, not validated. */
export interface ManifestFile {
  readonly file: string;
  readonly manifest: unknown;
}

/**
 * Reads the manifests of a folder in the order of file names. Throws a sentence that names a file which is not exactly
 * one YAML document, or which repeats a key.
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

/** The value at a path of keys and indexes; undefined if a part is missing. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );

/** The elements of a list; empty for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The manifest of a kind, or undefined. */
export const ofKind = (files: readonly ManifestFile[], kind: string): unknown =>
  files.find(({ manifest }) => at(manifest, "kind") === kind)?.manifest;
