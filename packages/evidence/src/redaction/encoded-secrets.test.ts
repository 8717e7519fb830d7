import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSecretsInHeaders } from "./secret-headers.ts";
import { createRedactor } from "./redactor.ts";
import { createSecretsFinder } from "./secrets-finder.ts";

const value = "sgp_0a1B2c3D-4e5F.6g7H~8i9J";
const secrets = [{ name: "ASSAY_TOKEN", value }];
const redactor = createRedactor({ secrets, key: Buffer.alloc(32, 7) });
const finder = createSecretsFinder(secrets);

const each = (text: string, write: (character: string) => string): string =>
  Array.from(text, (character) => write(character)).join("");
const code = (character: string, base: 10 | 16, digits = 2): string =>
  character.charCodeAt(0).toString(base).padStart(digits, "0");

const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "decimal entities": (text) => each(text, (one) => `&#${code(one, 10)};`),
  "decimal entities without a semicolon, with zeros": (text) =>
    each(text, (one) => `&#000${code(one, 10)}`).replaceAll(/&#(\d+)(?=[^\d&])/gu, "&#$1;"),
  "hexadecimal entities": (text) => each(text, (one) => `&#x${code(one, 16)};`),
  "hexadecimal entities without a semicolon": (text) => each(text, (one) => `&#X00${code(one, 16).toUpperCase()}`),
  "named entities": (text) => text.replaceAll("_", "&lowbar;").replaceAll(".", "&period;"),
  "named entities without a semicolon": (text) => text.replaceAll("_", "&lowbar").replaceAll(".", "&period"),
  "escapes of bytes": (text) => each(text, (one) => `\\x${code(one, 16)}`),
  "escapes of JSON": (text) => each(text, (one) => `\\u${code(one, 16, 4).toUpperCase()}`),
  "escapes with braces": (text) => each(text, (one) => `\\u{${code(one, 16)}}`),
  "percent-encoding": (text) => each(text, (one) => `%${code(one, 16).toUpperCase()}`),
  "percent-encoding of code units": (text) => each(text, (one) => `%u${code(one, 16, 4)}`),
  "quoted-printable": (text) => each(text, (one) => `=${code(one, 16).toUpperCase()}`),
  "quoted-printable with soft line breaks": (text) => `${text.slice(0, 9)}=\r\n${text.slice(9)}`,
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64, one byte later": (text) => Buffer.from(`x${text}`).toString("base64"),
  "base64, two bytes later": (text) => Buffer.from(`xy${text}`).toString("base64url"),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "hexadecimal in capitals": (text) => Buffer.from(text).toString("hex").toUpperCase(),
};
const names = Object.keys(encodings);
const around = (text: string): string => `{"a":"before ${text} behind"}`;

const isThere = (text: string): boolean => finder.find(Buffer.from(text).toString("latin1")).size > 0;

describe("a secret in another spelling", () => {
  test.each(names)("is replaced, and was found before: %s", (name) => {
    const text = around(encodings[name]!(value));
    const redacted = redactor.text(text);
    expect([isThere(text), isThere(redacted), redacted.length]).toEqual([true, false, text.length]);
    expect(redacted.slice(0, 12)).toBe(text.slice(0, 12));
    expect(redacted.endsWith(' behind"}')).toBe(true);
  });

  test.each(names.flatMap((inner) => names.map((outer) => ({ inner, outer }))))(
    "$inner, and that in $outer",
    ({ inner, outer }) => {
      const text = around(encodings[outer]!(encodings[inner]!(value)));
      const redacted = redactor.text(text);
      expect([isThere(text), isThere(redacted), redacted.length]).toEqual([true, false, text.length]);
    },
  );

  test("leaves JSON in JSON a document", () => {
    const text = JSON.stringify({ a: JSON.stringify({ b: [value, 'x"y'] }), c: 1 });
    expect(Object.keys(JSON.parse(JSON.parse(redactor.text(text)).a))).toEqual(["b"]);
  });
});

test("no secret survives in up to three nested encodings", () => {
  // A soft line break may split another encoding, and pairs are tested above.
  const unbroken = names.filter((name) => !name.includes("soft"));
  const stacks = fc.array(fc.constantFrom(...unbroken), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9_.~+/-]{8,48}$/),
      stacks,
      fc.constantFrom("", "Q", "abc:", '"'),
      (own, stack, before) => {
        const known = [{ name: "own", value: own }];
        const written = stack.reduce((text, name) => encodings[name]!(text), own);
        const text = `${before}${written} behind`;
        const redacted = createRedactor({ secrets: known, key: Buffer.alloc(32, 7) }).text(text);
        const ownFinder = createSecretsFinder(known);
        const sizes = [text, redacted].map((one) => ownFinder.find(Buffer.from(one).toString("latin1")).size);
        expect([sizes, redacted.length, redacted.includes(written)]).toEqual([[1, 0], text.length, false]);
      },
    ),
    { numRuns: 300 },
  );
});

/** Spellings that keep the characters of a token adjacent. */
const spellings: typeof encodings = {
  ...encodings,
  "an address": encodeURIComponent,
  "an address in an address": (text) => encodeURIComponent(encodeURIComponent(text)),
  "a form": (text) => new URLSearchParams({ q: text }).toString().slice(2),
  JSON: (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll("/", String.raw`\/`),
  "JSON as Go writes it": (text) => text.replaceAll(/[&<>=]/gu, (one) => `\\u00${code(one, 16)}`),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  "HTML text": (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&#62;"),
};
/** How much of hexadecimal in Base64 may not belong to the secret: bytes before it, characters that belong to both, and padding. */
const sharedLength = 12;

/** Reports whether all that was replaced could be a number, as hexadecimal without letters could. */
function isNumberReplaced(written: string, redacted: string): boolean {
  const differs = (character: string, at: number) => character !== redacted.charAt(at);
  const first = Array.from(written).findIndex(differs);
  const last = Array.from(written).findLastIndex(differs);
  return last - first > written.length - sharedLength && /^[-+.\deE]*$/u.test(written.slice(first, last + 1));
}

test("a secret has one replacement in every encoding and pair of encodings, except for trailing dots", () => {
  const tokens = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9+/]{6,40}[A-Za-z0-9=]{2}$/),
    fc.stringMatching(/^[A-Za-z0-9_.~+/=!$'()*,:@?-]{7,40}[a-z]$/),
    fc.stringMatching(/^[A-Za-z0-9 +/=_-]{7,40}[a-z]$/),
    fc.stringMatching(/^\d{8,20}$/),
  );
  // A soft line break may split another encoding.
  const unbroken = Object.keys(spellings).filter((name) => !name.includes("soft"));
  const ways = fc.array(fc.constantFrom(...unbroken), { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(tokens, ways, (token, stack) => {
      const own = createRedactor({ secrets: [{ name: "own", value: token }], key: Buffer.alloc(32, 7) });
      const replacement = own.text(`"${token}"`).slice(1, -1);
      const written = stack.reduce((text, name) => spellings[name]!(text), token);
      const redacted = own.text(`"${written}"`);
      // What may be a number of a JSON document stays one.
      fc.pre(written === token || !isNumberReplaced(written, redacted.slice(1, -1)));
      expect([replacement.length, redacted]).toEqual([token.length, expect.stringContaining(replacement)]);
    }),
    { numRuns: 300 },
  );
});

test("text without a secret stays as it is", () => {
  const text = '<a href="?q=73%20&amp;v=V3">\\u00e9 \\x41 &#65 =73=\n</a>';
  expect([redactor.text(text), isThere(text)]).toEqual([text, false]);
});

test("credentials of requests are secrets; short or ordinary values are not", () => {
  const found = findSecretsInHeaders([
    ["Authorization", `token ${value}`],
    ["Cookie", "theme=dark; sgs=0123456789abcdef0123"],
    ["X-Api-Key", "short"],
    ["Accept", "text/event-stream"],
  ]);
  expect(found.map((secret) => secret.value)).toEqual([value, "0123456789abcdef0123"]);
});
