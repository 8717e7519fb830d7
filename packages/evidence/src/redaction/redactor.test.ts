import { HarnessError } from "@assay/contract";
import { anyCharacter } from "@assay/tools/any-character";
import { Buffer } from "node:buffer";
import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exampleDraft, exampleRedactor } from "../testing/exchange-example.ts";
import type { ExchangeDraft, HeaderField } from "../exchange.ts";
import { createRedactor } from "./redactor.ts";

const token = "sesame/open+door=7";
const secrets = [{ name: "ASSAY_TOKEN", value: token }];
const redactor = exampleRedactor(secrets);
const hexDigits = "0123456789abcdef0123";

const fullyPercentEncoded = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const unicodeEscaped = (text: string): string =>
  Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

const encodings: readonly { readonly name: string; readonly encode: (text: string) => string }[] = [
  { name: "as it is", encode: (text) => text },
  { name: "percent-encoded", encode: encodeURIComponent },
  {
    name: "percent-encoded in lower case",
    encode: (text) => encodeURIComponent(text).replaceAll(/%../g, (hex) => hex.toLowerCase()),
  },
  { name: "percent-encoded in full", encode: fullyPercentEncoded },
  { name: "percent-encoded twice", encode: (text) => encodeURIComponent(encodeURIComponent(text)) },
  { name: "JSON-escaped", encode: (text) => JSON.stringify(text).slice(1, -1) },
  { name: "JSON-escaped with \\/", encode: (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/") },
  { name: "JSON-escaped in full", encode: unicodeEscaped },
  { name: "JSON in JSON", encode: (text) => JSON.stringify(JSON.stringify(text)).slice(1, -1) },
  { name: "base64", encode: (text) => Buffer.from(text).toString("base64") },
  { name: "base64url", encode: (text) => Buffer.from(text).toString("base64url") },
  { name: "base64 after one byte", encode: (text) => Buffer.from(`:${text}`).toString("base64") },
  { name: "base64 after two bytes", encode: (text) => Buffer.from(`u:${text}`).toString("base64") },
  { name: "base64, percent-encoded", encode: (text) => encodeURIComponent(Buffer.from(text).toString("base64")) },
  { name: "hexadecimal", encode: (text) => Buffer.from(text).toString("hex") },
  { name: "upper-case hexadecimal", encode: (text) => Buffer.from(text).toString("hex").toUpperCase() },
  {
    name: "HTML text",
    encode: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  },
];

/** Length of the longest part of `text` that is unchanged in `redacted`. */
const keptCharacters = (text: string, redacted: string): number =>
  Array.from(text).filter((character, at) => redacted[at] === character).length;

const secretValue = fc.string({
  unit: fc.constantFrom(..."abcXYZ0189-._~!*'()/+=&<>%$#@:;,?[]{}|^`"),
  minLength: 16,
  maxLength: 60,
});

describe("known secrets", () => {
  test.each(encodings)("$name, are replaced in place", ({ encode }) => {
    const found = encode(token);
    const text = `before ${found} after`;
    const redacted = redactor.text(text);
    expect(redacted).not.toContain(found);
    expect(redacted).toHaveLength(text.length);
    expect(redacted.startsWith("before ")).toBe(true);
    expect(redacted.endsWith(" after")).toBe(true);
  });

  test("no known encoding of any secret survives, and lengths stay", () => {
    fc.assert(
      fc.property(secretValue, fc.constantFrom(...encodings), fc.string(), (value, { encode }, around) => {
        const found = encode(value);
        const text = `${around} ${found} ${around}`;
        const redacted = exampleRedactor([{ name: "S", value }]).text(text);
        expect(Buffer.byteLength(redacted)).toBe(Buffer.byteLength(text));
        // A replaced character is unchanged by chance one time in 62, and base64 shares up to two characters with its
        // neighbours.
        const from = Buffer.byteLength(around) === around.length ? around.length + 1 : text.indexOf(found);
        expect(keptCharacters(found, redacted.slice(from, from + found.length))).toBeLessThan(found.length / 2);
      }),
    );
  });

  test("equal secrets have equal replacements; other secrets and keys have different ones", () => {
    const text = redactor.text(`${token} ${token}`);
    const other = createRedactor({ secrets, key: Buffer.alloc(32, 8) }).text(token);
    expect(text.slice(0, token.length)).toBe(text.slice(token.length + 1));
    expect(text.slice(0, token.length)).not.toBe(other);
    expect(text).toMatch(/^[A-Za-z0-9]+ [A-Za-z0-9]+$/);
  });

  test("the value has the same replacement in a header as in a body", () => {
    const [field] = redactor.headers([["Authorization", `token ${token}`]]);
    expect(field).toEqual(["Authorization", `token ${redactor.text(token)}`]);
  });

  test("a secret that contains another one is replaced as a whole", () => {
    const long = `${token}-and-more`;
    const both = exampleRedactor([...secrets, { name: "LONG", value: long }]);
    expect(both.text(long)).not.toContain("-and-more");
    expect(both.text(token)).toBe(redactor.text(token));
  });

  test.each([{ value: "" }, { value: "1234567" }])(
    "a value of fewer than 8 characters is refused ($value)",
    ({ value }) => {
      const refused = (): unknown => exampleRedactor([{ name: "ASSAY_TOKEN", value }]);
      expect(refused).toThrow(HarnessError);
      expect(refused).toThrow(/^secret-refused: the secret ASSAY_TOKEN has \d characters, fewer than 8/);
    },
  );

  test("the refusal does not quote the value", () => {
    expect(() => exampleRedactor([{ name: "ASSAY_TOKEN", value: "s3cr3t" }])).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("s3cr3t") }),
    );
  });
});

describe("JSON", () => {
  test("stays JSON of the same shape", () => {
    const shape = (value: unknown): string => JSON.stringify(value).replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
    fc.assert(
      fc.property(secretValue, fc.array(fc.string({ unit: anyCharacter })), (value, around) => {
        const before = [...around.flatMap((text) => [text, `${text}${value}${text}`, `\n${value}`]), value];
        const after: unknown = JSON.parse(exampleRedactor([{ name: "S", value }]).text(JSON.stringify(before)));
        expect(shape(after)).toBe(shape(before));
      }),
    );
  });

  const anySecret = fc.oneof(
    fc.string({ unit: fc.constantFrom(...String.raw`abcntu0189"\/{}[],:-.+eE `), minLength: 8, maxLength: 24 }),
    fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 8, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(..."u00410dn"), minLength: 8, maxLength: 12 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number).padEnd(8, "0")),
  );
  const isJson = (text: string): boolean => {
    try {
      return JSON.parse(text) !== undefined;
    } catch {
      return false;
    }
  };
  const inNumbers = (value: string): readonly string[] =>
    [value, `-${value}`, `1${value}`, `${value}0`, `0.${value}`, `10.5e${value}`, `${value}.5`, `${value}e+1`].filter(
      isJson,
    );
  const spelled: readonly ((text: string) => string)[] = [
    JSON.stringify,
    (text) => JSON.stringify(text).replaceAll("/", String.raw`\/`),
    (text) => `"${unicodeEscaped(text)}"`,
    (text) => JSON.stringify(JSON.stringify(text)),
    (text) => JSON.stringify(encodeURIComponent(text)),
  ];
  const aroundIt = fc.string({ unit: fc.constantFrom(...'ab01"\\/\n\u0041\u{1f600}u'), maxLength: 5 });

  test("stays JSON of the same length, for any secret in any string or number", () => {
    fc.assert(
      fc.property(
        anySecret,
        fc.array(fc.tuple(aroundIt, aroundIt)),
        fc.constantFrom(...spelled),
        (value, around, spell) => {
          const strings = around.flatMap(([before, after]) => [
            spell(before + value + after),
            JSON.stringify(before + after),
          ]);
          const document = `{"a":[${[...strings, spell(value), ...inNumbers(value)].join(",")}],${spell(value)}:0}`;
          const after = exampleRedactor([{ name: "S", value }]).text(document);
          expect(isJson(document)).toBe(true);
          expect(after).toSatisfy(isJson);
          expect(Buffer.byteLength(after)).toBe(Buffer.byteLength(document));
        },
      ),
      { numRuns: repetitions(250, 1000) },
    );
  });

  test.each([
    { name: "an id", value: "10000042", json: '{"repositoryID":10000042,"at":"10000042","more":910000042.5}' },
    { name: "with a fraction", value: "-12345.6789", json: '[-12345.6789,"-12345.6789"]' },
    { name: "that begins with zeros", value: "00000000", json: "[100000000,1.00000000]" },
  ])("a number stays a number: $name", ({ value, json }) => {
    const secretly = exampleRedactor([{ name: "S", value }]);
    const redacted = secretly.text(json);
    const shape = (text: string): string => text.replaceAll(/\d/g, "0");
    expect(shape(redacted)).toBe(shape(json));
    expect(() => JSON.parse(redacted) as unknown).not.toThrow();
    expect(redacted).not.toContain(value);
    expect(new Set(redacted.split(/[^-.\d]/).filter((part) => part.length === value.length)).size).toBeLessThan(2);
    expect(secretly.text(redacted)).toBe(redacted);
    expect(secretly.headers([["Authorization", value]])[0]?.[1]).toBe(secretly.text(value));
  });

  test.each([
    { name: "a quote at the start of a name", value: '"repository', json: '{"repository":1}' },
    { name: "two strings", value: 'ab","cd"', json: '["ab","cd"]' },
    { name: "a name and its number", value: '":10000042', json: '{"id":10000042}' },
    { name: "two numbers", value: "12345678,9", json: "[12345678,9e1]" },
    { name: "a word of JSON", value: 'a":true,"b', json: '{"a":true,"b":1}' },
  ])("stays JSON where a secret reaches out of a string: $name", ({ value, json }) => {
    const redacted = exampleRedactor([{ name: "S", value }]).text(json);
    expect(() => JSON.parse(redacted) as unknown).not.toThrow();
    expect(redacted).not.toContain(value);
  });

  test.each([
    { name: "the letter of an escape", value: "nabcdefghij", json: String.raw`["\nabcdefghij"]` },
    { name: "the digits of an escape", value: "u0041bcdefghij", json: String.raw`["\u0041bcdefghij"]` },
  ])("$name is kept where a match begins inside it", ({ value, json }) => {
    const redacted = exampleRedactor([{ name: "S", value }]).text(json);
    expect(() => JSON.parse(redacted) as unknown).not.toThrow();
    expect(redacted).not.toContain(value);
  });
});

describe("secrets by their shape", () => {
  test.each([
    { name: "an access token of the service", secret: `sgp_${hexDigits}` },
    { name: "an access token with an instance part", secret: `sgp_local_${hexDigits}` },
    { name: "another token of the service", secret: `sgd_${hexDigits}` },
    {
      name: "a JWT",
      secret: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    },
  ])("$name is replaced, also after a JSON escape", ({ secret }) => {
    const text = `{"a":"${secret}","b":"\\n${secret}"}`;
    const redacted = redactor.text(text);
    expect(redacted).not.toContain(secret);
    expect(redacted).toHaveLength(text.length);
    expect(() => JSON.parse(redacted) as unknown).not.toThrow();
  });

  test.each([
    {
      name: "a password in a URL",
      text: "https://user:hunter2@example.test/x",
      redacted: "https://user:xxxxxxx@example.test/x",
    },
    {
      name: "a short query parameter",
      text: "https://h/?q=1&token=abc&v=V3",
      redacted: "https://h/?q=1&token=xxx&v=V3",
    },
    {
      name: "an identifier of similar shape",
      text: "sgx_enclave_create_report",
      redacted: "sgx_enclave_create_report",
    },
    { name: "a plain user in a URL", text: "ssh://git@example.test/x", redacted: "ssh://git@example.test/x" },
    { name: "a parameter that only ends like one", text: "?csrf-token=abc", redacted: "?csrf-token=abc" },
  ])("$name", ({ text, redacted }) => {
    expect(redactor.text(text)).toBe(redacted);
  });

  test.each([
    { name: "access_token", text: "/x?access_token=0123456789" },
    {
      name: "filter_read_token after an escaped ampersand",
      text: String.raw`/x?a=b\u0026filter_read_token=0123456789`,
    },
    { name: "a token as the user of a URL", text: "https://0123456789@example.test/" },
    { name: "read_token in JSON", text: '{"read_token":"0123456789"}' },
  ])("$name is replaced", ({ text }) => {
    expect(redactor.text(text)).not.toContain("0123456789");
    expect(redactor.text(text)).toHaveLength(text.length);
  });

  test.each(["sgp_", "eyJ", "eyJaaaaaaaa.", "://", "?token=", "\\", "%25", "sga_a_"])(
    "a long run of %j takes linear time",
    (piece) => {
      const hostile = Buffer.from(piece.repeat(2_000_000 / piece.length));
      // More than linear work would exceed the test timeout.
      expect(redactor.bytes(hostile)).toHaveLength(hostile.length);
    },
  );
});

describe("headers", () => {
  test.each<{ field: HeaderField; kept: string }>([
    { field: ["Authorization", "token abcdefghij"], kept: "token " },
    { field: ["authorization", "Bearer abcdefghij"], kept: "Bearer " },
    { field: ["Proxy-Authorization", "Basic YWxhZGRpbjpvcGVu"], kept: "Basic " },
    { field: ["Cookie", "session=abcdefghij; a=b"], kept: "" },
    { field: ["set-cookie", "id=abcdefghij; HttpOnly"], kept: "" },
    { field: ["X-Sourcegraph-Actor", "abcdefghij"], kept: "" },
    { field: ["X-Dbx-Auth-Token", "abcdefghij"], kept: "" },
    { field: ["client-id", "client-one-and-only"], kept: "" },
  ])("the value of $field.0 is replaced by its name", ({ field, kept }) => {
    const named = createRedactor({ secrets: [], secretHeaderNames: ["Client-ID"], key: Buffer.alloc(32, 7) });
    const [redacted] = named.headers([field]);
    expect(redacted?.[1].slice(kept.length)).toMatch(/^[A-Za-z0-9]+$/);
    expect(redacted?.[1]).toHaveLength(field[1].length);
    expect(redacted?.[1].startsWith(kept)).toBe(true);
    expect(redacted?.[1].slice(kept.length)).not.toBe(field[1].slice(kept.length));
  });

  test("other headers stay, apart from known secrets in them", () => {
    expect(
      redactor.headers([
        ["Accept", "text/event-stream"],
        ["Location", `/x?y=${token}`],
      ]),
    ).toEqual([
      ["Accept", "text/event-stream"],
      ["Location", `/x?y=${redactor.text(token)}`],
    ]);
  });
});

test("redacting twice changes nothing", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...encodings.map(({ encode }) => encode(token)),
      "https://u:hunter2hunter2@h/?token=abcdefghij&",
      "sgp_0123456789abcdef",
      "\\",
      '"',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const once = redactor.text(pieces.join(""));
      expect(redactor.text(once)).toBe(once);
      const headers = redactor.headers([
        ["Authorization", `Bearer ${pieces.join("").replaceAll(/\s/g, "")}`],
        ["Cookie", once],
      ]);
      expect(redactor.headers(headers)).toEqual(headers);
    }),
  );
});

test("bytes without a secret are returned unchanged", () => {
  const bytes = Buffer.from([0xff, 0x00, 0x61, 0xc3]);
  expect(redactor.bytes(bytes)).toBe(bytes);
});

test("bytes that are not UTF-8 survive next to a secret", () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(token), Buffer.from([0xc3])]);
  const redacted = Buffer.from(redactor.bytes(bytes));
  expect([...redacted.subarray(0, 2), ...redacted.subarray(-1)]).toEqual([0xff, 0xfe, 0xc3]);
  expect(redacted.includes(token)).toBe(false);
});

describe("exchanges", () => {
  test("a secret split by chunk boundaries is replaced and the boundaries stay", () => {
    const body = `data: "${token}"\n\n`;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: body.length }), (size) => {
        const pieces = body.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        const chunks = redactor.draft(exampleDraft("a", pieces)).response?.chunks ?? [];
        expect(chunks.map(({ bytes }) => bytes.length)).toEqual(pieces.map((piece) => piece.length));
        expect(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()).toBe(redactor.text(body));
      }),
    );
  });

  test("address, headers and message are redacted", () => {
    const draft: ExchangeDraft = {
      ...exampleDraft("a"),
      request: {
        method: "GET",
        url: `http://h/?q=${encodeURIComponent(token)}`,
        headers: [["Authorization", `token ${token}`]],
      },
      end: { kind: "failed", code: "reset", message: `no answer to ${token}` },
    };
    const text = JSON.stringify(redactor.draft(draft));
    expect(text).not.toContain(token);
    expect(text).not.toContain(encodeURIComponent(token));
  });
});

test("a repeated header is redacted with newly learned secrets", () => {
  const fresh = exampleRedactor();
  const readToken = "c0ffee-paints-a-fence";
  const field: HeaderField = ["location", `/deepsearch/shared/${readToken}`];
  const before = fresh.headers([field]);
  const answer = exampleDraft("1", [`{"read_token":"${readToken}"}`]);
  fresh.draft({ ...answer, interface: "legacy", operation: "get" });
  expect([before, fresh.headers([field])].map((fields) => fields[0]?.[1].includes(readToken))).toEqual([true, false]);
});

test("headers that look the same on one line are distinguished", () => {
  const fields: readonly HeaderField[] = [
    ["x-a", "bc"],
    ["x-ab", "c"],
    ["x-a", "bc"],
  ];
  expect(exampleRedactor().headers(fields)).toEqual(fields);
});
