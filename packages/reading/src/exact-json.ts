/** Digits of integers that a number cannot hold, by the object and the member that they stand in. */
const longIntegers = new WeakMap<object, Map<string, string>>();

/**
 * The value of a JSON text. Integers beyond 2^53 are rounded in it as ever; `exactDigits` still knows what was sent, where
 * they are members of an object, as ids are. Fails with a `SyntaxError` where the text is no JSON.
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (/\d{16}/u.test(text)) {
    keepDigits(value, JSON.parse(withQuotedIntegers(text)));
  }
  return value;
}

/** The digits of an integer member as they were sent, where a number rounds them; undefined for any other member. */
export const exactDigits = (holder: unknown, name: string): string | undefined =>
  typeof holder === "object" && holder !== null ? longIntegers.get(holder)?.get(name) : undefined;

const quote = '"';
const numberCharacter = /[-+.\deE]/u;
const integer = /^-?\d+$/u;

/** The same text with quotes around all integers that a number would round. Goes by hand: strings may be long. */
function withQuotedIntegers(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === quote) {
      at = endOfString(text, at) + 1;
    } else if (character === "-" || (character >= "0" && character <= "9")) {
      const end = endOfNumber(text, at);
      const token = text.slice(at, end);
      if (integer.test(token) && !Number.isSafeInteger(Number(token))) {
        parts.push(text.slice(kept, at), quote, token, quote);
        kept = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return parts.join("") + text.slice(kept);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== quote) {
    at += text.charAt(at) === "\\" ? 2 : 1;
  }
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && numberCharacter.test(text.charAt(at))) {
    at += 1;
  }
  return at;
}

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Goes through both values side by side: what is a number in one and a text in the other was rounded. */
function keepDigits(value: unknown, quoted: unknown): void {
  const pairs: (readonly [unknown, unknown])[] = [[value, quoted]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [holder, other] = pair;
    if (!isHolder(holder) || !isHolder(other)) {
      continue;
    }
    const others = new Map<string, unknown>(Object.entries(other));
    for (const [name, held] of Object.entries(holder)) {
      const digits = others.get(name);
      if (typeof held === "number" && typeof digits === "string") {
        const known = longIntegers.get(holder) ?? new Map<string, string>();
        longIntegers.set(holder, known.set(name, digits));
      } else {
        pairs.push([held, digits]);
      }
    }
  }
}
