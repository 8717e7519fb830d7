import type { JsonObject } from "./json-object.ts";
import { knownKeywords } from "./schema-keywords.ts";

/** Sentences about what in schemas is not checked, each once. */
export class SchemaNotes {
  readonly #requirements = new Set<string>();

  requirements(): readonly string[] {
    return [...this.#requirements];
  }

  unsupported(keywords: readonly string[]): void {
    for (const keyword of keywords) {
      this.#requirements.add(
        `The keyword \`${keyword}\` is not supported as it is used; what depends on it is not tested.`,
      );
    }
  }

  /** Extensions (`x-`) are not unknown. */
  unknown(schema: JsonObject): void {
    for (const keyword of Object.keys(schema)) {
      if (!knownKeywords.has(keyword) && !keyword.startsWith("x-")) {
        this.#requirements.add(`The keyword \`${keyword.slice(0, 60)}\` is unknown and was not checked.`);
      }
    }
  }

  format(format: string): void {
    this.#requirements.add(`The format \`${format.slice(0, 60)}\` is unknown and was not checked.`);
  }
}
