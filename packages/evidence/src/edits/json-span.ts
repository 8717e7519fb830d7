/** A range of bytes. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Returns the range of the value that a JSON pointer names. If the pointer does not resolve, returns the innermost value on its path. For
 * invalid JSON, returns some range within the bytes. Linear, without recursion.
 */
export function findJsonPointerSpan(bytes: Uint8Array, pointer: string): Span {
  let at = skipSpace(bytes, 0);
  for (const token of readTokens(pointer)) {
    const child = findItem(bytes, at, token);
    if (child === undefined) {
      break;
    }
    at = child.value;
  }
  const offset = Math.min(at, bytes.length);
  return { offset, length: Math.max(0, endOfValue(bytes, offset) - offset) };
}

const readTokens = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) {
    at += 1;
  }
  return at;
}

/** Returns the offset after the closing quote of the string at `from`. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) {
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  return at + 1;
}

const isOpen = (byte: number | undefined): boolean => byte === OPEN_ARRAY || byte === OPEN_OBJECT;
const isClose = (byte: number | undefined): boolean => byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;

function endOfValue(bytes: Uint8Array, from: number): number {
  if (bytes[from] === QUOTE) {
    return Math.min(bytes.length, endOfString(bytes, from));
  }
  return isOpen(bytes[from]) ? endOfContainer(bytes, from) : endOfScalar(bytes, from);
}

function endOfScalar(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !/[\s,\]}]/u.test(String.fromCharCode(bytes[at] ?? 0))) {
    at += 1;
  }
  return at;
}

function endOfContainer(bytes: Uint8Array, from: number): number {
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      continue;
    }
    depth += Number(isOpen(byte)) - Number(isClose(byte));
    at += 1;
    if (depth === 0) {
      break;
    }
  }
  // An unterminated string may end beyond the bytes.
  return Math.min(bytes.length, at);
}

/** A member or an element: offsets of its name (or its value, in an array) and of its value. */
interface Item {
  readonly from: number;
  readonly value: number;
}

type FindItem = (token: string) => Item | undefined;

/** Finds items of objects and arrays, by text and offset of the container. Proofs edit the same text in many places. */
const containerCache = new WeakMap<Uint8Array, Map<number, FindItem>>();

/** Returns the item of the container at an offset that a token names. The container is read once, so the bytes must not change. */
function findItem(bytes: Uint8Array, at: number, token: string): Item | undefined {
  const containers = containerCache.get(bytes) ?? new Map<number, FindItem>();
  const find = containers.get(at) ?? readContainer(bytes, at);
  containerCache.set(bytes, containers.set(at, find));
  return find(token);
}

function readContainer(bytes: Uint8Array, at: number): FindItem {
  if (bytes[at] === OPEN_ARRAY) {
    return findElements(bytes, at);
  }
  return bytes[at] === OPEN_OBJECT ? findMembers(bytes, at) : () => undefined;
}

function findElements(bytes: Uint8Array, array: number): FindItem {
  const offsets: number[] = [];
  let at = skipSpace(bytes, array + 1);
  while (bytes[at] !== CLOSE_ARRAY && at < bytes.length && offsets.at(-1) !== at) {
    // The same offset again is neither value nor comma: this is not JSON.
    offsets.push(at);
    at = skipItem(bytes, at);
  }
  return (token) => {
    const value = /^(?:0|[1-9]\d*)$/u.test(token) ? offsets[Number(token)] : undefined;
    return value === undefined ? undefined : { from: value, value };
  };
}

function findMembers(bytes: Uint8Array, object: number): FindItem {
  const members = new Map<unknown, Item>();
  let at = skipSpace(bytes, object + 1);
  while (bytes[at] === QUOTE) {
    const keyEnd = endOfString(bytes, at);
    const value = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
    // If a name is repeated, use the last member, like JSON parsers.
    members.set(decodeKey(bytes.subarray(at, keyEnd)), { from: at, value });
    at = skipItem(bytes, value);
  }
  return (token) => members.get(token);
}

/** Returns the offset after the value at `value` and the comma that follows it. */
function skipItem(bytes: Uint8Array, value: number): number {
  const at = skipSpace(bytes, endOfValue(bytes, value));
  return bytes[at] === COMMA ? skipSpace(bytes, at + 1) : at;
}

const decoder = new TextDecoder();

function decodeKey(quoted: Uint8Array): unknown {
  const text = decoder.decode(quoted);
  return text.includes("\\") ? parseKey(text) : text.slice(1, -1);
}

function parseKey(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a JSON string, so not a member name.
    return undefined;
  }
}

/**
 * Returns the range to delete to remove a member or an element: its name, its value and one adjacent comma. Returns undefined if the
 * pointer does not resolve or names the whole text.
 */
export function findJsonItemSpan(bytes: Uint8Array, pointer: string): Span | undefined {
  let item: Item | undefined;
  for (const token of readTokens(pointer)) {
    item = findItem(bytes, item?.value ?? skipSpace(bytes, 0), token);
    if (item === undefined) {
      return undefined;
    }
  }
  if (item === undefined) {
    return undefined;
  }
  const { from, value } = item;
  const end = endOfValue(bytes, value);
  const next = skipSpace(bytes, end);
  if (bytes[next] === COMMA) {
    return { offset: from, length: next + 1 - from };
  }
  const comma = findLastNonSpace(bytes, from);
  const start = bytes[comma] === COMMA ? comma : from;
  return { offset: start, length: end - start };
}

/** Returns the offset of the last byte before `at` that is not white space. */
function findLastNonSpace(bytes: Uint8Array, at: number): number {
  let offset = at - 1;
  while (offset >= 0 && skipSpace(bytes, offset) !== offset) {
    offset -= 1;
  }
  return offset;
}
