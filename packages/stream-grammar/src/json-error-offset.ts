/**
 * Returns the offset of the first byte that cannot be part of JSON text (RFC 8259), the length of the input if it ends too early, or
 * `undefined` for valid JSON. Error messages of engines change between versions, but verdicts must not. Works on any bytes in linear time,
 * without recursion.
 */
export function jsonErrorOffset(bytes: Uint8Array): number | undefined {
  const scanner: Scanner = { bytes, at: 0, open: [], state: "value" };
  for (;;) {
    skipSpace(scanner);
    if (scanner.state === "end") {
      return scanner.at < bytes.length ? scanner.at : undefined;
    }
    if (!readers[scanner.state](scanner, bytes[scanner.at])) {
      return scanner.at;
    }
  }
}

type State = "value" | "first-value" | "key" | "first-key" | "colon" | "after-value" | "end";

interface Scanner {
  readonly bytes: Uint8Array;
  at: number;
  /** Closing bytes of the open arrays and objects. */
  readonly open: number[];
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
    const byte = bytes[scanner.at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) {
      return;
    }
    scanner.at += 1;
  }
}

type Reader = (scanner: Scanner, byte: number | undefined) => boolean;

/** The reader of each state. A reader that returns `false` leaves `at` at the invalid byte. */
const readers: Readonly<Record<Exclude<State, "end">, Reader>> = {
  value,
  "first-value": (scanner, byte) => (byte === CLOSE_ARRAY ? close(scanner) : value(scanner, byte)),
  key,
  "first-key": (scanner, byte) => (byte === CLOSE_OBJECT ? close(scanner) : key(scanner, byte)),
  colon: (scanner, byte) => byte === COLON && advance(scanner, "value"),
  "after-value": afterValue,
};

function advance(scanner: Scanner, state: State): true {
  scanner.at += 1;
  scanner.state = state;
  return true;
}

function valueEnds(scanner: Scanner): true {
  scanner.state = scanner.open.length === 0 ? "end" : "after-value";
  return true;
}

function close(scanner: Scanner): true {
  scanner.at += 1;
  scanner.open.pop();
  return valueEnds(scanner);
}

function afterValue(scanner: Scanner, byte: number | undefined): boolean {
  const closing = scanner.open.at(-1);
  if (byte === COMMA) {
    return advance(scanner, closing === CLOSE_OBJECT ? "key" : "value");
  }
  return byte === closing && close(scanner);
}

function key(scanner: Scanner, byte: number | undefined): boolean {
  if (byte !== QUOTE || !string(scanner)) {
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

function value(scanner: Scanner, byte: number | undefined): boolean {
  if (byte === OPEN_ARRAY) {
    scanner.open.push(CLOSE_ARRAY);
    return advance(scanner, "first-value");
  }
  if (byte === OPEN_OBJECT) {
    scanner.open.push(CLOSE_OBJECT);
    return advance(scanner, "first-key");
  }
  return scalar(scanner, byte) && valueEnds(scanner);
}

function scalar(scanner: Scanner, byte: number | undefined): boolean {
  const text = literals.get(byte);
  if (text !== undefined) {
    return literal(scanner, text);
  }
  return byte === QUOTE ? string(scanner) : number(scanner);
}

function literal(scanner: Scanner, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (scanner.bytes[scanner.at] !== text.charCodeAt(index)) {
      return false;
    }
    scanner.at += 1;
  }
  return true;
}

function string(scanner: Scanner): boolean {
  const { bytes } = scanner;
  scanner.at += 1;
  for (;;) {
    const byte = bytes[scanner.at];
    if (byte === undefined || byte < 0x20) {
      return false;
    }
    scanner.at += 1;
    if (byte === QUOTE) {
      return true;
    }
    if (byte === BACKSLASH && !escape(scanner)) {
      return false;
    }
  }
}

const isHexDigit = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66));

/** Bytes that may follow a backslash: `" \ / b f n r t u`. */
const escapable: ReadonlySet<number | undefined> = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74, 0x75]);

function escape(scanner: Scanner): boolean {
  const byte = scanner.bytes[scanner.at];
  if (!escapable.has(byte)) {
    return false;
  }
  scanner.at += 1;
  if (byte !== 0x75) {
    return true;
  }
  for (let digit = 0; digit < 4; digit += 1) {
    if (!isHexDigit(scanner.bytes[scanner.at])) {
      return false;
    }
    scanner.at += 1;
  }
  return true;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function digits(scanner: Scanner): boolean {
  if (!isDigit(scanner.bytes[scanner.at])) {
    return false;
  }
  while (isDigit(scanner.bytes[scanner.at])) {
    scanner.at += 1;
  }
  return true;
}

function number(scanner: Scanner): boolean {
  const { bytes } = scanner;
  if (bytes[scanner.at] === 0x2d) {
    scanner.at += 1;
  }
  if (bytes[scanner.at] === 0x30) {
    scanner.at += 1;
  } else if (!digits(scanner)) {
    return false;
  }
  if (bytes[scanner.at] === 0x2e) {
    scanner.at += 1;
    if (!digits(scanner)) {
      return false;
    }
  }
  return (bytes[scanner.at] !== 0x65 && bytes[scanner.at] !== 0x45) || exponent(scanner);
}

function exponent(scanner: Scanner): boolean {
  scanner.at += 1;
  const sign = scanner.bytes[scanner.at];
  if (sign === 0x2b || sign === 0x2d) {
    scanner.at += 1;
  }
  return digits(scanner);
}
