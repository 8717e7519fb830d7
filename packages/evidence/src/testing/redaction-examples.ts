import { Buffer } from "node:buffer";
import fc from "fast-check";
import type { HeaderField } from "../exchange.ts";

/** A text with secrets, for redactors in any language. */
export interface RedactionExample {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headerNames: readonly string[];
  /** Body of an answer to learn secrets from first. */
  readonly learn: string;
  readonly bytes: Buffer;
  readonly headers: readonly HeaderField[];
}

const plain = "sgp_0a1B2c3D-4e5F.6g7H~8i9J";
const odd = 'sesame/open+door="7&8';

const each = (text: string, write: (byte: number) => string): string =>
  Array.from(Buffer.from(text), (byte) => write(byte)).join("");
const hex = (byte: number, digits = 2): string => byte.toString(16).padStart(digits, "0");

const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "decimal entities": (text) => each(text, (byte) => `&#${byte};`),
  "decimal entities without a semicolon": (text) => each(text, (byte) => `&#000${byte}`),
  "hexadecimal entities": (text) => each(text, (byte) => `&#x${hex(byte)};`),
  "hexadecimal entities with zeros": (text) => each(text, (byte) => `&#X0000000${hex(byte).toUpperCase()}`),
  "named entities": (text) => text.replaceAll("_", "&lowbar;").replaceAll(".", "&PERIOD").replaceAll("/", "&sol;"),
  "HTML text": (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
  "escapes of bytes": (text) => each(text, (byte) => `\\x${hex(byte)}`),
  "escapes of JSON": (text) => each(text, (byte) => `\\u${hex(byte, 4).toUpperCase()}`),
  "escapes of JSON in JSON": (text) => each(text, (byte) => `\\\\\\\\u${hex(byte, 4)}`),
  "escapes with braces": (text) => each(text, (byte) => `\\u{000${hex(byte)}}`),
  JSON: (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll("/", String.raw`\/`),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify(text)).slice(1, -1),
  "percent-encoding": (text) => each(text, (byte) => `%${hex(byte).toUpperCase()}`),
  "percent-encoding, four times": (text) => each(text, (byte) => `%252525${hex(byte)}`),
  "percent-encoding of what needs it": (text) => encodeURIComponent(encodeURIComponent(text)),
  "percent-encoding of code units": (text) => each(text, (byte) => `%u${hex(byte, 4)}`),
  "quoted-printable": (text) => each(text, (byte) => `=${hex(byte).toUpperCase()}`),
  "a soft line break": (text) => `${text.slice(0, 9)}=\r\n${text.slice(9)}`,
  "a soft line break in JSON": (text) => `${text.slice(0, 9)}=\\r\\n${text.slice(9)}`,
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64, one byte later": (text) => Buffer.from(`x${text}`).toString("base64"),
  "base64, two bytes later": (text) => Buffer.from(`xy${text}`).toString("base64url"),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "hexadecimal in capitals": (text) => Buffer.from(text).toString("hex").toUpperCase(),
};
const names = Object.keys(encodings);

interface Parts extends Partial<Omit<RedactionExample, "bytes">> {
  readonly text?: string;
  readonly bytes?: Buffer;
}

const example = ({ text = "", bytes = Buffer.from(text), ...parts }: Parts): RedactionExample => ({
  name: "",
  secrets: [],
  headerNames: [],
  learn: "",
  headers: [],
  bytes,
  ...parts,
});

const encoded = (value: string): readonly RedactionExample[] =>
  names.flatMap((inner) =>
    names.map((outer) => {
      const written = encodings[outer]?.(encodings[inner]?.(value) ?? "") ?? "";
      const text = `event: matches\ndata: {"a":"before ${written} behind"}\n\n`;
      return example({ name: `${inner}, in ${outer}`, secrets: [value], text });
    }),
  );

const uuid = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";
const jwt = `eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTYifQ.${"s".repeat(43)}`;
const shaped: readonly string[] = [
  `x sgp_${"a1".repeat(20)} sgs_local_${"b2".repeat(10)}, asgp_${"c3".repeat(20)}, \\nsgd_${"d4".repeat(20)}`,
  `sgp_short sgp_1234567 sgp_12345678 sgx_${"e".repeat(65)}_${"f".repeat(16)} sgx_${"e".repeat(64)}_${"f".repeat(16)}`,
  `sgp_${"0".repeat(1030)}`,
  `a ${jwt}, ${jwt}-, -${jwt}, ${jwt}.more`,
  "https://user:pass@host/ http:\\/\\/user:p%40ss@host ssh://git:@host ftp://abcdefgh@host a://abcdefg@host",
  `https://:secret@host http://a:b:c@host ://${"u".repeat(257)}:x@h ://${"u".repeat(256)}:x@h`,
  "?token=abc&access_token=DEF&filter_read_token=g:h/i=j%25 ;token=no &amp;token=yes \\u0026token=yes %3fTOKEN=yes %26Access_Token=y",
  `deepsearch/${uuid} deepsearch\\/shared\\/${uuid} deepsearch/shared/${uuid}- deepsearch/x${uuid} deepsearch/${uuid}0`,
  `{"read_token":"abcdefgh","read_token" : "x y","read_token":"${"r".repeat(4097)}","read_token":"a\\"b"}`,
  "xxxxxxx sgp_xxxxxxxx token=x ?token=xxxxxxxx",
];

const numbers: readonly Parts[] = [
  { secrets: ["10000042"], text: '{"repositoryID":10000042,"at":"10000042","more":910000042.5}' },
  { secrets: ["-12345.6789"], text: '[-12345.6789,"-12345.6789"]' },
  { secrets: ['"repository'], text: '{"repository":1}' },
  { secrets: ['a":true,"b'], text: '{"a":true,"b":1e5}' },
  { secrets: ['ab12","cd'], text: '["ab12","cd\\u0041"]' },
  { secrets: ["u00410dn1"], text: '["\\u00410dn1","\\\\u00410dn1","x\\\\\\u00410dn1"]' },
  { secrets: ["n12345678"], text: '["\\n12345678","\\\\n12345678"]' },
  { secrets: ["geheimnis-ä-ö-😀"], text: "geheimnis-ä-ö-😀 geheimnis-%C3%A4-\\u00f6-\\ud83d\\ude00 é" },
  { secrets: [plain, `${plain}-and-more`, odd], text: `${plain} ${plain}-and-more ${odd}` },
];

const headers: readonly HeaderField[] = [
  ["Authorization", `token ${plain}`],
  ["authorization", "Bearer abc"],
  ["Proxy-Authorization", "Basic  dXNlcjpwYXNzd29yZA=="],
  ["Cookie", "a=b; c=d"],
  ["Set-Cookie", "session=0123456789abcdef; Path=/"],
  ["X-Sourcegraph-Anything", "token-sudo user=1"],
  ["X-Api-Key", "0123456789"],
  ["X-Tokens", `one ${plain}`],
  ["X-Mine", "own"],
  ["X-Own-Secret-Name", "12345678"],
  ["Location", `https://host/?token=${plain}`],
  ["Content-Type", "text/event-stream"],
];

const pieces = fc.oneof(
  fc.constantFrom(plain, odd, jwt, ...shaped.map((text) => text.slice(0, 90))),
  fc
    .tuple(fc.constantFrom(plain, odd, plain.slice(3, 20)), fc.constantFrom(...names), fc.constantFrom(...names))
    .map(([text, inner, outer]) => encodings[outer]?.(encodings[inner]?.(text) ?? "") ?? ""),
  fc.string({ unit: fc.constantFrom(...String.raw`\\\%&=uxn25;#":/@eJ. `, "\n", "ä"), maxLength: 12 }),
  fc.constantFrom(
    "&",
    "\\",
    "%25",
    "%",
    "=",
    "=\n",
    "\\u",
    "&#",
    "&lt",
    "\\\\",
    '"read_token":"',
    "://",
    "sgp_",
    "eyJ",
  ),
);

const mixed = (count: number, seed: number): readonly RedactionExample[] =>
  fc
    .sample(fc.array(pieces, { maxLength: 12 }), { numRuns: count, seed })
    .map((list, index) => example({ name: `mixture ${index}`, secrets: [odd, plain], text: list.join("") }));

const bytesAnywhere = (count: number, seed: number): readonly RedactionExample[] =>
  fc
    .sample(fc.tuple(fc.uint8Array({ maxLength: 30 }), fc.constantFrom(...names), fc.uint8Array({ maxLength: 30 })), {
      numRuns: count,
      seed,
    })
    .map(([before, name, behind], index) =>
      example({
        name: `bytes ${index}`,
        secrets: [plain],
        bytes: Buffer.concat([before, Buffer.from(encodings[name]?.(plain) ?? ""), behind]),
      }),
    );

/**
 * Texts in every encoding and every pair of encodings, by shape, in headers, learned, and the requested number of mixtures.
 */
export const redactionExamples = (mixtures: number, seed: number): readonly RedactionExample[] => [
  ...encoded(plain),
  ...encoded(odd),
  ...shaped.map((text, index) => example({ name: `by its look ${index}`, text })),
  ...numbers.map((parts, index) => example({ name: `in JSON ${index}`, ...parts })),
  example({ name: "headers", secrets: [plain], headerNames: ["X-Mine"], headers }),
  example({
    name: "learned",
    learn: '{"read_token" : "read-me-once","read_token":"short"}',
    text: "read-me-once, read%2Dme%2Donce, short",
  }),
  example({
    name: "learned with escapes",
    learn: String.raw`{"read_token":"a+b\/c\u003dd==","read_token":"\n2345678","read_token":"12345678\u00e9"}`,
    text: String.raw`a+b/c=d== a%2Bb%2Fc%3Dd%3D%3D "a+b\/c\u003dd==" n2345678 {"read_token":"x\/y","read_token":"x\ny"}`,
  }),
  example({ name: "a number in an address", secrets: ["12345678"], text: '"12345678" %31%32%33%34%35%36%37%38' }),
  ...mixed(mixtures, seed),
  ...bytesAnywhere(mixtures, seed),
];
