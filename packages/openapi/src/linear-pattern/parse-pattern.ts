import type { Boundary, CharacterTest, PatternNode } from "./pattern-program.ts";

/** Maximum nesting of groups. */
const maxGroupDepth = 50;

/**
 * Parses a valid JavaScript pattern to a tree. Returns undefined if it needs more than a finite automaton (look-around, back-references,
 * inline flags), or if groups nest too deeply. Drops captures and laziness, because only the existence of a match matters.
 */
export const parsePattern = (source: string, flags: "u" | ""): PatternNode | undefined =>
  new PatternReader(source, flags).read();

const boundaries: Readonly<Record<string, Boundary>> = { "^": "start", $: "end", "\\b": "word", "\\B": "not-word" };

// One character in the source: an escape, a class, or any character except operators. Does not match back-references.
const unicodeAtom =
  /\\u\{[0-9a-f]+\}|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\p\{[^}]*\}|\\c[a-z]|\\0(?!\d)|\\[^1-9kux0pc]|\[(?:\\.|[^\]\\])*\]|[^\\()[\]{}*+?|^$]/iuy;
const plainAtom =
  /\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\c[a-z]|\\0(?!\d)|\\[^1-9kux0c]|\[(?:\\.|[^\]\\])*\]|[^\\()[*+?|^$]/isy;
const quantifier = /([*+?]|\{(\d+)(,(\d*))?\})\??/y;
const groupStart = /\((?:\?:|\?<(?![=!])[^>]*>)?(?!\?)/y;
const boundary = /[$^]|\\[bB]/y;

class PatternReader {
  readonly #source: string;
  readonly #flags: "u" | "";
  #at = 0;
  #depth = 0;

  constructor(source: string, flags: "u" | "") {
    this.#source = source;
    this.#flags = flags;
  }

  read(): PatternNode | undefined {
    const node = this.#choice();
    return this.#at === this.#source.length ? node : undefined;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#source);
    if (match === null) {
      return undefined;
    }
    this.#at = expression.lastIndex;
    return match;
  }

  #choice(): PatternNode | undefined {
    const parts: PatternNode[] = [];
    do {
      const part = this.#sequence();
      if (part === undefined) {
        return undefined;
      }
      parts.push(part);
    } while (this.#take(/\|/y) !== undefined);
    return parts.length === 1 ? parts[0] : { kind: "choice", parts };
  }

  #sequence(): PatternNode | undefined {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at))) {
      const part = this.#quantified();
      if (part === undefined) {
        return undefined;
      }
      parts.push(part);
    }
    return { kind: "sequence", parts };
  }

  #quantified(): PatternNode | undefined {
    const part = this.#boundary() ?? this.#group() ?? this.#character();
    if (part === undefined) {
      return undefined;
    }
    const match = this.#take(quantifier);
    return match === undefined ? part : { kind: "repeat", part, ...parseRange(match) };
  }

  #boundary(): PatternNode | undefined {
    const kind = boundaries[this.#take(boundary)?.[0] ?? ""];
    return kind === undefined ? undefined : { kind: "boundary", boundary: kind };
  }

  #group(): PatternNode | undefined {
    if (this.#depth === maxGroupDepth || this.#take(groupStart) === undefined) {
      return undefined;
    }
    this.#depth += 1;
    const inner = this.#choice();
    this.#depth -= 1;
    return this.#take(/\)/y) === undefined ? undefined : inner;
  }

  #character(): PatternNode | undefined {
    const match = this.#take(this.#flags === "u" ? unicodeAtom : plainAtom);
    return match === undefined ? undefined : { kind: "character", test: createCharacterTest(match[0], this.#flags) };
  }
}

const parseRange = ([, operator, minText, comma, maxText]: RegExpExecArray): {
  readonly min: number;
  readonly max: number;
} => {
  if (minText !== undefined) {
    const max = maxText === undefined || maxText === "" ? Number.POSITIVE_INFINITY : Number(maxText);
    return { min: Number(minText), max: comma === undefined ? Number(minText) : max };
  }
  return { min: operator === "+" ? 1 : 0, max: operator === "?" ? 1 : Number.POSITIVE_INFINITY };
};

/** V8 itself tests single characters, which is always fast. Results for ASCII are cached. */
const createCharacterTest = (atom: string, flags: "u" | ""): CharacterTest => {
  const expression = new RegExp(`^(?:${atom})$`, flags);
  const ascii = Array.from({ length: 128 }, (_, code) => expression.test(String.fromCharCode(code)));
  return (character) => {
    const cachedResult = character.length === 1 ? ascii[character.charCodeAt(0)] : undefined;
    return cachedResult ?? expression.test(character);
  };
};
