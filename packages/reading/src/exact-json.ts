/** The digits of integers that a number cannot represent, by object and member name. */
const longIntegers = new WeakMap<object, Map<string, string>>();

/**
 * Parses JSON. Integers beyond 2^53 are rounded as usual. For those that are members of an object, such as ids, `exactDigits` returns the
 * original digits. Throws a `SyntaxError` for text that is not JSON.
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (/\d{16}/u.test(text)) {
    recordDigits(value, JSON.parse(quoteLongIntegers(text)));
  }
  return value;
}

/** Returns the original digits of an integer member if its number was rounded, or undefined. */
export const exactDigits = (holder: unknown, name: string): string | undefined =>
  typeof holder === "object" && holder !== null ? longIntegers.get(holder)?.get(name) : undefined;

const quote = '"';
const numberCharacter = /[-+.\deE]/u;
const integerPattern = /^-?\d+$/u;

/** Quotes all integers that a number would round. Scans by hand because strings may be long. */
function quoteLongIntegers(text: string): string {
  const parts: string[] = [];
  let copiedUntil = 0;
  let position = 0;
  while (position < text.length) {
    const character = text.charAt(position);
    if (character === quote) {
      position = endOfString(text, position) + 1;
    } else if (character === "-" || (character >= "0" && character <= "9")) {
      const end = endOfNumber(text, position);
      const token = text.slice(position, end);
      if (integerPattern.test(token) && !Number.isSafeInteger(Number(token))) {
        parts.push(text.slice(copiedUntil, position), quote, token, quote);
        copiedUntil = end;
      }
      position = end;
    } else {
      position += 1;
    }
  }
  return parts.join("") + text.slice(copiedUntil);
}

function endOfString(text: string, start: number): number {
  let position = start + 1;
  while (position < text.length && text.charAt(position) !== quote) {
    position += text.charAt(position) === "\\" ? 2 : 1;
  }
  return position;
}

function endOfNumber(text: string, start: number): number {
  let position = start + 1;
  while (position < text.length && numberCharacter.test(text.charAt(position))) {
    position += 1;
  }
  return position;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Walks both values in parallel. A member that is a number in `value` and a string in `quoted` was rounded. */
function recordDigits(value: unknown, quoted: unknown): void {
  const pairs: (readonly [unknown, unknown])[] = [[value, quoted]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [holder, quotedHolder] = pair;
    if (!isObject(holder) || !isObject(quotedHolder)) {
      continue;
    }
    const quotedMembers = new Map<string, unknown>(Object.entries(quotedHolder));
    for (const [name, memberValue] of Object.entries(holder)) {
      const digits = quotedMembers.get(name);
      if (typeof memberValue === "number" && typeof digits === "string") {
        const digitsByName = longIntegers.get(holder) ?? new Map<string, string>();
        longIntegers.set(holder, digitsByName.set(name, digits));
      } else {
        pairs.push([memberValue, digits]);
      }
    }
  }
}
