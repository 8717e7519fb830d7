/**
 * Returns the offset of the first byte that cannot be part of JSON text (RFC 8259), the length of the input if it ends too early, or
 * `undefined` for valid JSON. Error messages of engines change between versions, but verdicts must not. Works on any bytes in linear time,
 * without recursion.
 */
export function findJsonError(bytes: Uint8Array): number | undefined {
  const scanner: Scanner = { bytes, offset: 0, closers: [], state: "value" };
  for (;;) {
    skipSpace(scanner);
    if (scanner.state === "end") {
      return scanner.offset < bytes.length ? scanner.offset : undefined;
    }
    if (!readers[scanner.state](scanner, bytes[scanner.offset])) {
      return scanner.offset;
    }
  }
}

type State = "value" | "first-value" | "key" | "first-key" | "colon" | "after-value" | "end";

interface Scanner {
  readonly bytes: Uint8Array;
  offset: number;
  /** Closing bytes of the open arrays and objects. */
  readonly closers: number[];
  state: State;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function skipSpace(scanner: Scanner): void {
  const { bytes } = scanner;
  for (;;) {
    const byte = bytes[scanner.offset];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) {
      return;
    }
    scanner.offset += 1;
  }
}

type Reader = (scanner: Scanner, byte: number | undefined) => boolean;

/** The reader of each state. A reader that returns `false` leaves `offset` at the invalid byte. */
const readers: Readonly<Record<Exclude<State, "end">, Reader>> = {
  value: readValue,
  "first-value": (scanner, byte) => (byte === CLOSE_ARRAY ? readClosing(scanner) : readValue(scanner, byte)),
  key: readKey,
  "first-key": (scanner, byte) => (byte === CLOSE_OBJECT ? readClosing(scanner) : readKey(scanner, byte)),
  colon: (scanner, byte) => byte === COLON && advance(scanner, "value"),
  "after-value": readAfterValue,
};

function advance(scanner: Scanner, state: State): true {
  scanner.offset += 1;
  scanner.state = state;
  return true;
}

function endValue(scanner: Scanner): true {
  scanner.state = scanner.closers.length === 0 ? "end" : "after-value";
  return true;
}

function readClosing(scanner: Scanner): true {
  scanner.offset += 1;
  scanner.closers.pop();
  return endValue(scanner);
}

function readAfterValue(scanner: Scanner, byte: number | undefined): boolean {
  const closer = scanner.closers.at(-1);
  if (byte === COMMA) {
    return advance(scanner, closer === CLOSE_OBJECT ? "key" : "value");
  }
  return byte === closer && readClosing(scanner);
}

function readKey(scanner: Scanner, byte: number | undefined): boolean {
  if (byte !== QUOTE || !readString(scanner)) {
    return false;
  }
  scanner.state = "colon";
  return true;
}

const literals: ReadonlyMap<number | undefined, string> = new Map([
  [0x74, "true"],
  [0x66, "false"],
  [0x6e, "null"],
]);

function readValue(scanner: Scanner, byte: number | undefined): boolean {
  if (byte === OPEN_ARRAY) {
    scanner.closers.push(CLOSE_ARRAY);
    return advance(scanner, "first-value");
  }
  if (byte === OPEN_OBJECT) {
    scanner.closers.push(CLOSE_OBJECT);
    return advance(scanner, "first-key");
  }
  return readScalar(scanner, byte) && endValue(scanner);
}

function readScalar(scanner: Scanner, byte: number | undefined): boolean {
  const text = literals.get(byte);
  if (text !== undefined) {
    return readLiteral(scanner, text);
  }
  return byte === QUOTE ? readString(scanner) : readNumber(scanner);
}

function readLiteral(scanner: Scanner, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (scanner.bytes[scanner.offset] !== text.charCodeAt(index)) {
      return false;
    }
    scanner.offset += 1;
  }
  return true;
}

function readString(scanner: Scanner): boolean {
  const { bytes } = scanner;
  scanner.offset += 1;
  for (;;) {
    const byte = bytes[scanner.offset];
    if (byte === undefined || byte < 0x20) {
      return false;
    }
    scanner.offset += 1;
    if (byte === QUOTE) {
      return true;
    }
    if (byte === BACKSLASH && !readEscape(scanner)) {
      return false;
    }
  }
}

const isHexDigit = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66));

/** Bytes that may follow a backslash: `" \ / b f n r t u`. */
const escapableBytes: ReadonlySet<number | undefined> = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74, 0x75]);

function readEscape(scanner: Scanner): boolean {
  const byte = scanner.bytes[scanner.offset];
  if (!escapableBytes.has(byte)) {
    return false;
  }
  scanner.offset += 1;
  if (byte !== 0x75) {
    return true;
  }
  for (let digit = 0; digit < 4; digit += 1) {
    if (!isHexDigit(scanner.bytes[scanner.offset])) {
      return false;
    }
    scanner.offset += 1;
  }
  return true;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function readDigits(scanner: Scanner): boolean {
  if (!isDigit(scanner.bytes[scanner.offset])) {
    return false;
  }
  while (isDigit(scanner.bytes[scanner.offset])) {
    scanner.offset += 1;
  }
  return true;
}

function readNumber(scanner: Scanner): boolean {
  const { bytes } = scanner;
  if (bytes[scanner.offset] === 0x2d) {
    scanner.offset += 1;
  }
  if (bytes[scanner.offset] === 0x30) {
    scanner.offset += 1;
  } else if (!readDigits(scanner)) {
    return false;
  }
  if (bytes[scanner.offset] === 0x2e) {
    scanner.offset += 1;
    if (!readDigits(scanner)) {
      return false;
    }
  }
  return (bytes[scanner.offset] !== 0x65 && bytes[scanner.offset] !== 0x45) || readExponent(scanner);
}

function readExponent(scanner: Scanner): boolean {
  scanner.offset += 1;
  const sign = scanner.bytes[scanner.offset];
  if (sign === 0x2b || sign === 0x2d) {
    scanner.offset += 1;
  }
  return readDigits(scanner);
}
