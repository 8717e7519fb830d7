import { Buffer } from "node:buffer";
import { compileFunction } from "node:vm";
import { HarnessError } from "@assay/contract";
import type { JsonSchema } from "@assay/contract";

/**
 * A schema whose valid values can be read from their bytes, with what to write down while reading. A record is a run of integers. `record`
 * reserves one of this length for each object of a schema; the other keywords write into that of the nearest object above, at an index:
 * - `span` and the index after it: the offsets of the first byte of a value and of the byte after its last one;
 * - `integer`: the value itself;
 * - `first`: where the records of the elements of an array begin;
 * - `total`: the number of elements of an array, added to what is there;
 * - `filled`: 1 for each array with elements, added to what is there;
 * - `unlistedArrays`: the number of members with an array that `properties` does not name.
 *
 * `push` appends an integer after the record instead.
 */
export interface ReadSchema extends Omit<JsonSchema, "properties" | "items"> {
  readonly properties?: Readonly<Record<string, ReadSchema>>;
  readonly items?: ReadSchema;
  readonly record?: number;
  readonly span?: number;
  readonly integer?: number;
  readonly first?: number;
  readonly total?: number;
  readonly filled?: number;
  readonly unlistedArrays?: number;
  readonly push?: true;
}

/** The records that a reader writes. */
export class RecordTable {
  ints = new Int32Array(1024);
  /** Number of integers in use. */
  used = 0;
  /** Spans count from this offset in the bytes. */
  origin = 0;

  /** Reserves integers, all 0, and returns the index of the first. */
  reserve(count: number): number {
    const at = this.used;
    this.used += count;
    if (this.used > this.ints.length) {
      const larger = new Int32Array(this.used * 2);
      larger.set(this.ints.subarray(0, at));
      this.ints = larger;
    }
    // Faster than `fill` for the few integers of a record.
    for (let index = at; index < this.used; index += 1) {
      this.ints[index] = 0;
    }
    return at;
  }
}

/**
 * Reads one JSON value from its bytes and writes its records. Returns the offset after the value, or -1 if the value is not certainly
 * valid: it may still be, so the caller then parses it, and drops what was written. There must be a byte after the value.
 */
export type ByteReader = (bytes: Uint8Array, start: number, table: RecordTable) => number;

/** Deeper values are left to the parser. */
const maxDepth = 64;
/** The largest integer of a record. */
const maxStored = 2 ** 31 - 1;
/** More digits may not be exact. */
const maxDigits = 15;
/** Texts that must match a pattern are short; longer ones are left to the parser. */
const maxPatternBytes = 80;
/** Number of texts that a pattern remembers. A power of two. */
const rememberedTexts = 256;
/** Names of members share one bit mask. */
const maxMembers = 30;

/** Reports whether ASCII bytes match a pattern. */
type TextMatcher = (bytes: Buffer, start: number, end: number) => boolean;

/**
 * Returns a matcher that remembers texts that matched, because the values of a stream repeat. It compares their bytes, which is several
 * times as fast as making a string and testing it.
 */
function createTextMatcher(pattern: RegExp): TextMatcher {
  const known = new Uint8Array(rememberedTexts * maxPatternBytes);
  const lengths = new Uint8Array(rememberedTexts);
  return (bytes, start, end) => {
    const length = end - start;
    // Times and names differ in their last bytes.
    let hash = length;
    for (let at = Math.max(start, end - 8); at < end; at += 1) {
      hash = Math.imul(hash, 31) + (bytes[at] ?? 0);
    }
    const slot = (hash ^ (hash >>> 8)) & (rememberedTexts - 1);
    const first = slot * maxPatternBytes;
    let same = 0;
    if (lengths[slot] === length) {
      while (same < length && known[first + same] === bytes[start + same]) {
        same += 1;
      }
    }
    if (same === length && length > 0) {
      return true;
    }
    if (!pattern.test(bytes.toString("latin1", start, end))) {
      return false;
    }
    known.set(bytes.subarray(start, end), first);
    lengths[slot] = length;
    return true;
  };
}

/** Bytes of the largest integer that is exact and can be read at any offset. */
const wordBytes = 4;

/**
 * Compares a byte, which is where most texts differ, and then four bytes at once. Reads no byte after a valid value and the one that
 * must follow it, because it stops at the first difference.
 */
function bytesAre(text: string, from: string): string {
  const bytes = Buffer.from(text);
  const last = bytes.length - wordBytes;
  const tests =
    last < 0
      ? [...bytes.subarray(1)].map((byte, index) => `b[${from}+${index + 1}]===${byte}`)
      : Array.from({ length: Math.ceil(bytes.length / wordBytes) }, (_, index) => {
          const start = Math.min(index * wordBytes, last);
          return `view.getUint32(${from}+${start},true)===${bytes.readUInt32LE(start)}`;
        });
  return [`b[${from}]===${bytes[0]}`, ...tests].join("&&");
}

const whitespace = "if(b[p]<=32)p=ws(b,p);";

/** Functions that every reader uses. Each returns the offset after what it reads, or -1. */
const shared = `
function ws(b,p){let c=b[p];while(c===32||c===9||c===10||c===13)c=b[++p];return p;}
function text(b,p){for(;;){let c=b[p];
  while(plain[c]===1){if(plain[b[p+1]]!==1){p+=1;break;}if(plain[b[p+2]]!==1){p+=2;break;}if(plain[b[p+3]]!==1){p+=3;break;}p+=4;c=b[p];}
  c=b[p++];if(c===34)return p;if(c!==92)return -1;c=b[p++];
  if(c===117){for(let i=0;i<4;i++){c=b[p++];if(!(c>=48&&c<=57||c>=65&&c<=70||c>=97&&c<=102))return -1;}}
  else if(!(c===110||c===34||c===92||c===116||c===47||c===114||c===98||c===102))return -1;}}
function number(b,p){let c=b[p];if(c===45)c=b[++p];if(c===48)c=b[++p];else if(c>=49&&c<=57){do c=b[++p];while(c>=48&&c<=57);}else return -1;
  if(c===46){c=b[++p];if(!(c>=48&&c<=57))return -1;do c=b[++p];while(c>=48&&c<=57);}
  if(c===101||c===69){c=b[++p];if(c===43||c===45)c=b[++p];if(!(c>=48&&c<=57))return -1;do c=b[++p];while(c>=48&&c<=57);}return p;}
function any(b,p,d){const c=b[p];if(c===34)return text(b,p+1);
  if(c===123){if(d>${maxDepth})return -1;p++;${whitespace}if(b[p]===125)return p+1;
    for(;;){if(b[p]!==34)return -1;p=text(b,p+1);if(p<0)return -1;${whitespace}if(b[p]!==58)return -1;p++;${whitespace}p=any(b,p,d+1);if(p<0)return -1;
      ${whitespace}const e=b[p++];if(e===125)return p;if(e!==44)return -1;${whitespace}}}
  if(c===91){if(d>${maxDepth})return -1;p++;${whitespace}if(b[p]===93)return p+1;
    for(;;){p=any(b,p,d+1);if(p<0)return -1;${whitespace}const e=b[p++];if(e===93)return p;if(e!==44)return -1;${whitespace}}}
  if(c===116)return ${bytesAre("true", "p")}?p+4:-1;if(c===102)return ${bytesAre("false", "p")}?p+5:-1;if(c===110)return ${bytesAre("null", "p")}?p+4:-1;
  return number(b,p);}
`;

const supported: ReadonlySet<string> = new Set(
  [
    "$ref type const properties required items minItems maxItems minimum pattern description default examples",
    "record span integer first total filled unlistedArrays push",
  ].flatMap((keywords) => keywords.split(" ")),
);

/** The source of a reader: one function for each distinct schema. */
class ReaderSource {
  readonly functions: string[] = [];
  readonly matchers: TextMatcher[] = [];
  readonly #names = new Map<string, string>();
  readonly #resolve: (ref: string) => ReadSchema;

  constructor(resolve: (ref: string) => ReadSchema) {
    this.#resolve = resolve;
  }

  /** Returns the name of the function that reads values of a schema. */
  functionFor(schema: ReadSchema): string {
    const unsupported = Object.keys(schema).find((keyword) => !supported.has(keyword));
    if (unsupported !== undefined) {
      throw unreadable(`the keyword ${unsupported}`);
    }
    const { $ref } = schema;
    if ($ref !== undefined) {
      return this.functionFor(this.#resolve($ref));
    }
    const key = JSON.stringify(schema);
    const known = this.#names.get(key);
    if (known !== undefined) {
      return known;
    }
    const name = `read${this.#names.size}`;
    this.#names.set(key, name);
    const body = typesOf(schema).map((type) => this.#branch(type, schema));
    this.functions.push(`function ${name}(b,p,t,r){${body.join("")}return -1;}`);
    return name;
  }

  #branch(type: string, schema: ReadSchema): string {
    switch (type) {
      case "const":
        return literalBranch(JSON.stringify(schema.const), schema);
      case "null":
        return literalBranch("null", schema);
      case "boolean":
        return literalBranch("true", schema) + literalBranch("false", schema);
      case "integer":
        return integerBranch(schema);
      case "string":
        return this.#textBranch(schema);
      case "array":
        return this.#arrayBranch(schema);
      case "object":
        return this.#objectBranch(schema);
      case "any":
        return "return any(b,p,0);";
      default:
        throw unreadable(`the type ${type}`);
    }
  }

  #textBranch({ pattern, span }: ReadSchema): string {
    const store = span === undefined ? "" : `t.ints[r+${span}]=p-t.origin;t.ints[r+${span + 1}]=q-t.origin;`;
    if (pattern === undefined) {
      return `if(b[p]===34){const q=text(b,p+1);if(q<0)return -1;${store}return q;}`;
    }
    const charactersPattern = /^\^\[([0-9A-Za-z-]+)\]\{(\d+),(\d+)\}\$$/u.exec(pattern);
    if (charactersPattern !== null) {
      const [, set = "", min, max] = charactersPattern;
      return `if(b[p]===34){let q=p+1;while(${characterTest(set)})q++;if(b[q]!==34||q-p-1<${min}||q-p-1>${max})return -1;q++;${store}return q;}`;
    }
    const index = this.matchers.push(createTextMatcher(new RegExp(pattern, "u"))) - 1;
    return `if(b[p]===34){let q=p+1;while(plain[b[q]]===1&&b[q]<127)q++;if(b[q]!==34||q-p>${maxPatternBytes})return -1;
      if(!matchers[${index}](b,p+1,q))return -1;q++;${store}return q;}`;
  }

  #arrayBranch({ items, minItems = 0, maxItems, total, filled, first, span }: ReadSchema): string {
    const element = items === undefined ? "any(b,p,0)" : `${this.functionFor(items)}(b,p,t,r)`;
    const most = maxItems === undefined ? "" : `if(n>${maxItems})return -1;`;
    const store = [
      `if(n<${minItems})return -1;${most}`,
      total === undefined ? "" : `t.ints[r+${total}]+=n;`,
      filled === undefined ? "" : `if(n>0)t.ints[r+${filled}]++;`,
      storeSpan(span),
    ].join("");
    const open = first === undefined ? "" : `t.ints[r+${first}]=t.used;`;
    return `if(b[p]===91){const s=p;let n=0;${open}p++;${whitespace}if(b[p]===93){p++;${store}return p;}
      for(;;){p=${element};if(p<0)return -1;n++;${whitespace}const c=b[p++];if(c===93){${store}return p;}if(c!==44)return -1;${whitespace}}}`;
  }

  #objectBranch({ properties = {}, required = [], record, span, unlistedArrays }: ReadSchema): string {
    const names = Object.keys(properties);
    if (names.length > maxMembers) {
      throw unreadable(`more than ${maxMembers} members`);
    }
    const needed = required.reduce((mask, name) => mask | (1 << names.indexOf(name)), 0);
    const cases = new Map<number, string[]>();
    for (const name of names) {
      const [byte = 0] = Buffer.from(name);
      cases.set(byte, [...(cases.get(byte) ?? []), name]);
    }
    const count = unlistedArrays === undefined ? "" : `if(b[p]===91)t.ints[r+${unlistedArrays}]++;`;
    // An escaped name may denote a listed member.
    const unlisted = `while(plain[b[p]]===1)p++;if(b[p++]!==34)return -1;${colon}${count}p=any(b,p,0);`;
    const listed = [...cases].map(([byte, group]) => {
      const members = group.map((name) => this.#member(name, names.indexOf(name), properties[name] ?? {}));
      return `case ${byte}:${members.join("else ")}else{${unlisted}}break;`;
    });
    const complete = needed === 0 ? "" : `if((seen&${needed})!==${needed})return -1;`;
    const close = `${complete}${storeSpan(span)}return p;`;
    const open = record === undefined ? "" : `r=t.reserve(${record});`;
    return `if(b[p]===123){const s=p;let seen=0;${open}p++;${this.#inOrder(properties, close)}
      if(seen===0){${whitespace}if(b[p]===125){p++;${close}}}else{${whitespace}const c=b[p++];if(c===125){${close}}if(c!==44)return -1;${whitespace}}
      for(;;){if(b[p++]!==34)return -1;switch(b[p]){${listed.join("")}default:${unlisted}}if(p<0)return -1;
      ${whitespace}const c=b[p++];if(c===125){${close}}if(c!==44)return -1;${whitespace}}}`;
  }

  /**
   * Reads members as targets send them: in the order of the schema, without whitespace. It is enough to compare their bytes, which is
   * faster than to look a name up. Stops before the first byte that is not as expected.
   */
  #inOrder(properties: Readonly<Record<string, ReadSchema>>, close: string): string {
    const [first, ...others] = Object.entries(properties).map(([name, schema], index) => {
      const expected = `${index === 0 ? "" : ","}"${name}":`;
      const read = `p=${this.functionFor(schema)}(b,p+${Buffer.byteLength(expected)},t,r);if(p<0)return -1;seen|=${1 << index};`;
      return `if(${bytesAre(expected, "p")}){${read}`;
    });
    return first === undefined
      ? ""
      : `${first}${others.map((member) => `${member}}`).join("")}if(b[p]===125){p++;${close}}}`;
  }

  /** A member read twice is left to the parser, which keeps the last one. */
  #member(name: string, index: number, schema: ReadSchema): string {
    const size = Buffer.byteLength(name) + 1;
    const bit = 1 << index;
    return `if(${bytesAre(`${name}"`, "p")}){if(seen&${bit})return -1;seen|=${bit};p+=${size};${colon}p=${this.functionFor(schema)}(b,p,t,r);}`;
  }
}

/** Tests the byte at `q` for membership in a set of characters and ranges, as in a regular expression. */
const characterTest = (set: string): string => {
  const tests = set
    .match(/.-.|./gu)
    ?.map((part) => `b[q]>=${part.charCodeAt(0)}&&b[q]<=${part.charCodeAt(part.length - 1)}`);
  return tests?.join("||") ?? "false";
};

const colon = `${whitespace}if(b[p++]!==58)return -1;${whitespace}`;

const unreadable = (part: string): HarnessError =>
  new HarnessError("cannot-compile", `no reader of bytes can be made for ${part}`);

const typesOf = (schema: ReadSchema): readonly string[] =>
  schema.const === undefined ? [schema.type ?? "any"].flat() : ["const"];

const literalBranch = (literal: string, { span }: ReadSchema): string => {
  const size = Buffer.byteLength(literal);
  const store = span === undefined ? "" : `t.ints[r+${span}]=p-t.origin;t.ints[r+${span + 1}]=p+${size}-t.origin;`;
  return `if(${bytesAre(literal, "p")}){${store}return p+${size};}`;
};

/** Stores where a value between `s` and `p` is. */
const storeSpan = (span: number | undefined): string =>
  span === undefined ? "" : `t.ints[r+${span}]=s-t.origin;t.ints[r+${span + 1}]=p-t.origin;`;

/** Fractions and exponents are left to the parser: 1.0 is an integer too. */
function integerBranch({ minimum, integer, push }: ReadSchema): string {
  if (minimum !== undefined && minimum !== 0) {
    throw unreadable(`the minimum ${minimum}`);
  }
  const sign = minimum === 0 ? "" : "if(c===45){m=-1;c=b[++q];}";
  const target = push === true ? "t.reserve(1)" : `r+${integer}`;
  const isStored = push === true || integer !== undefined;
  const store = isStored ? `if(v>${maxStored})return -1;const k=${target};t.ints[k]=m*v;` : "";
  return `{let q=p,c=b[q],v=0,m=1;${sign}const s=q;if(c>=48&&c<=57){do{v=v*10+c-48;c=b[++q];}while(c>=48&&c<=57);
    if(q-s>${maxDigits}||(q-s>1&&b[s]===48)||c===46||c===101||c===69)return -1;${store}return q;}}`;
}

/** 1 for bytes that stand for themselves in a text: all but controls, the quote and the backslash. */
const plainBytes = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte >= 32 && byte !== 34 && byte !== 92));

/**
 * Compiles a schema into a reader that makes no text and no object. `resolve` returns the schema of a reference. Throws a `HarnessError`,
 * `cannot-compile`, for a keyword that is not supported. Bytes must be valid UTF-8 for the result to equal a parser's.
 */
export function compileByteReader(schema: ReadSchema, resolve: (ref: string) => ReadSchema): ByteReader {
  const source = new ReaderSource(resolve);
  const root = source.functionFor(schema);
  const create = compileFunction(
    `"use strict";let viewed,view=new DataView(new ArrayBuffer(0));${shared}${source.functions.join("\n")}
return function(b,p,t){if(b!==viewed){viewed=b;view=new DataView(b.buffer,b.byteOffset,b.byteLength);}
${whitespace}try{return ${root}(b,p,t,0);}catch(error){if(error instanceof RangeError)return -1;throw error;}}`,
    ["plain", "matchers"],
  );
  const reader: ByteReader = create(plainBytes, source.matchers);
  return reader;
}
