import type { JsonObject } from "./json-object.ts";
import { knownKeywords } from "./schema-keywords.ts";

/** Collects messages about unchecked parts of schemas, without duplicates. */
export class SchemaNotes {
  readonly #notes = new Set<string>();

  list(): readonly string[] {
    return [...this.#notes];
  }

  addUnsupported(keywords: readonly string[]): void {
    for (const keyword of keywords) {
      this.#notes.add(
        `The keyword \`${keyword}\` is not supported in this use; schemas that depend on it are not tested.`,
      );
    }
  }

  /** Ignores extensions (`x-`). */
  addUnknown(schema: JsonObject): void {
    for (const keyword of Object.keys(schema)) {
      if (!knownKeywords.has(keyword) && !keyword.startsWith("x-")) {
        this.#notes.add(`The keyword \`${keyword.slice(0, 60)}\` is unknown and was not checked.`);
      }
    }
  }

  addUnknownFormat(format: string): void {
    this.#notes.add(`The format \`${format.slice(0, 60)}\` is unknown and was not checked.`);
  }
}
