import { readdirSync, readFileSync } from "node:fs";
import { parseDocument } from "yaml";

/** One file of a kustomization, as it was parsed: nothing about its form is known yet. */
export interface ManifestFile {
  readonly file: string;
  readonly manifest: unknown;
}

/**
 * The manifests of a folder, each with its file name, in the order of names. Throws a sentence that names the file when one is
 * not exactly one document of YAML without a key given twice.
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

/** What stands at a path of keys and indexes; `undefined` where a part of it is missing. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );

/** The elements of a list; none for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The manifest of a kind, `undefined` when there is none. */
export const ofKind = (files: readonly ManifestFile[], kind: string): unknown =>
  files.find(({ manifest }) => at(manifest, "kind") === kind)?.manifest;
