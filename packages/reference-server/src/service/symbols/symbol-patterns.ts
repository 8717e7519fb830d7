/** Kinds of symbols in the spelling of the service. */
export type SymbolKind =
  | "CLASS"
  | "CONSTANT"
  | "ENUM"
  | "FUNCTION"
  | "INTERFACE"
  | "METHOD"
  | "MODULE"
  | "STRUCT"
  | "TYPEPARAMETER"
  | "VARIABLE";

/** A pattern for definitions. The named group `name` is the symbol. All patterns run in linear time. */
export interface SymbolPattern {
  readonly kind: SymbolKind;
  readonly pattern: RegExp;
}

const define = (kind: SymbolKind, pattern: RegExp): SymbolPattern => ({ kind, pattern });

const scriptPatterns: readonly SymbolPattern[] = [
  define(
    "FUNCTION",
    /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function(?:\s*\*\s*|\s+)(?<name>[\w$]+)/u,
  ),
  define("CLASS", /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?class\s+(?<name>[\w$]+)/u),
  define("INTERFACE", /^\s*(?:export\s+)?(?:declare\s+)?interface\s+(?<name>[\w$]+)/u),
  define("ENUM", /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+(?<name>[\w$]+)/u),
  define("TYPEPARAMETER", /^\s*(?:export\s+)?(?:declare\s+)?type\s+(?<name>[\w$]+)\s*[=<]/u),
  define("MODULE", /^\s*(?:export\s+)?(?:declare\s+)?(?:namespace|module)\s+(?<name>[\w$]+)/u),
  define("CONSTANT", /^\s*(?:export\s+)?(?:declare\s+)?const\s+(?<name>[\w$]+)/u),
  define("VARIABLE", /^(?:export\s+)?(?:declare\s+)?(?:let|var)\s+(?<name>[\w$]+)/u),
];

const python: readonly SymbolPattern[] = [
  define("FUNCTION", /^(?:async\s+)?def\s+(?<name>\w+)/u),
  define("METHOD", /^\s+(?:async\s+)?def\s+(?<name>\w+)/u),
  define("CLASS", /^\s*class\s+(?<name>\w+)/u),
  define("CONSTANT", /^(?<name>[A-Z][A-Z0-9_]*)\s*(?::[^=]*)?=(?!=)/u),
  define("VARIABLE", /^(?<name>[a-z_]\w*)\s*(?::[^=]*)?=(?!=)/u),
];

const go: readonly SymbolPattern[] = [
  define("METHOD", /^func\s+\([^)]*\)\s*(?<name>\w+)/u),
  define("FUNCTION", /^func\s+(?<name>\w+)/u),
  define("STRUCT", /^type\s+(?<name>\w+)(?:\[[^\]]*\])?\s+struct\b/u),
  define("INTERFACE", /^type\s+(?<name>\w+)(?:\[[^\]]*\])?\s+interface\b/u),
  define("TYPEPARAMETER", /^type\s+(?<name>\w+)/u),
  define("CONSTANT", /^const\s+(?<name>\w+)/u),
  define("VARIABLE", /^var\s+(?<name>\w+)/u),
];

const rust: readonly SymbolPattern[] = [
  define("FUNCTION", /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(?<name>\w+)/u),
  define("STRUCT", /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|union)\s+(?<name>\w+)/u),
  define("ENUM", /^\s*(?:pub(?:\([^)]*\))?\s+)?enum\s+(?<name>\w+)/u),
  define("INTERFACE", /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?trait\s+(?<name>\w+)/u),
  define("MODULE", /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?<name>\w+)/u),
  define("TYPEPARAMETER", /^\s*(?:pub(?:\([^)]*\))?\s+)?type\s+(?<name>\w+)/u),
  define("CONSTANT", /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static(?:\s+mut)?)\s+(?<name>\w+)\s*:/u),
];

const modifierPattern = /(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|override)\s+)*/u
  .source;

const managedPatterns: readonly SymbolPattern[] = [
  define("INTERFACE", new RegExp(String.raw`^\s*${modifierPattern}interface\s+(?<name>\w+)`, "u")),
  define("ENUM", new RegExp(String.raw`^\s*${modifierPattern}enum\s+(?:class\s+)?(?<name>\w+)`, "u")),
  define("STRUCT", new RegExp(String.raw`^\s*${modifierPattern}struct\s+(?<name>\w+)`, "u")),
  define("CLASS", new RegExp(String.raw`^\s*${modifierPattern}(?:class|record|object)\s+(?<name>\w+)`, "u")),
  define("FUNCTION", new RegExp(String.raw`^\s*${modifierPattern}fun\s+(?<name>\w+)`, "u")),
  define("METHOD", /^\s*(?:public|private|protected|internal)\s[^=;({]*?\b(?<name>\w+)\s*\(/u),
];

const cPatterns: readonly SymbolPattern[] = [
  define("CONSTANT", /^\s*#\s*define\s+(?<name>\w+)/u),
  define("STRUCT", /^\s*(?:typedef\s+)?(?:struct|union)\s+(?<name>\w+)\s*\{?$/u),
  define("ENUM", /^\s*(?:typedef\s+)?enum\s+(?:class\s+)?(?<name>\w+)/u),
  define("CLASS", /^\s*class\s+(?<name>\w+)/u),
  define("MODULE", /^\s*namespace\s+(?<name>\w+)/u),
  define("FUNCTION", /^[A-Za-z_][\w\s*&:<>,]*?\b(?<name>\w+)\s*\([^;]*$/u),
];

const ruby: readonly SymbolPattern[] = [
  define("METHOD", /^\s*def\s+(?:self\.)?(?<name>\w+[?!]?)/u),
  define("CLASS", /^\s*class\s+(?<name>\w+)/u),
  define("MODULE", /^\s*module\s+(?<name>\w+)/u),
  define("CONSTANT", /^\s*(?<name>[A-Z]\w*)\s*=(?!=)/u),
];

const shell: readonly SymbolPattern[] = [
  define("FUNCTION", /^\s*function\s+(?<name>[\w-]+)/u),
  define("FUNCTION", /^\s*(?<name>[\w-]+)\s*\(\)/u),
];

const php: readonly SymbolPattern[] = [
  define("FUNCTION", /^\s*(?:(?:public|private|protected|static|final|abstract)\s+)*function\s+&?(?<name>\w+)/u),
  define("INTERFACE", /^\s*(?:interface|trait)\s+(?<name>\w+)/u),
  define("CLASS", /^\s*(?:(?:final|abstract)\s+)*class\s+(?<name>\w+)/u),
  define("CONSTANT", /^\s*(?:(?:public|private|protected)\s+)?const\s+(?<name>\w+)/u),
];

/** Patterns by language. The first match on a line is used. */
export const symbolPatterns: ReadonlyMap<string, readonly SymbolPattern[]> = new Map([
  ["TypeScript", scriptPatterns],
  ["JavaScript", scriptPatterns],
  ["Python", python],
  ["Go", go],
  ["Rust", rust],
  ["Java", managedPatterns],
  ["Kotlin", managedPatterns],
  ["C#", managedPatterns],
  ["C", cPatterns],
  ["C++", cPatterns],
  ["Ruby", ruby],
  ["Shell", shell],
  ["PHP", php],
]);
