/** A kind of text that is a secret by its look, for text in which each character is one byte. */
export interface SecretShape {
  /** Cheap test; nothing of this shape is in a text that fails it. */
  readonly hint: RegExp;
  /** Group 1 is the secret; a match ends with it. Linear on hostile text: a run of characters is entered once only. */
  readonly pattern: RegExp;
}

/** No match of a shape, with what has to follow it, is longer than this many bytes. */
export const maxShapeBytes = 32 * 1024;

// A secret begins where no word goes on, or after a JSON escape such as `\n`, whose letter belongs to no word. Looked at
// behind the first letters, because patterns that begin with a letter are found much faster.
const wordOf = (start: string): string => String.raw`${start}(?<=(?<![A-Za-z0-9_-])${start}|\\[bfnrt]${start})`;

// Printable ASCII without what ends a part of a URL or a JSON string. ASCII only: cutting a UTF-8 sequence would damage
// the text.
const userPart = String.raw`[A-Za-z0-9._~!$&()*+,;=%-]`;
const queryValue = String.raw`[A-Za-z0-9._~!$()*+,:/=%-]`;
const jwtPart = "[A-Za-z0-9_-]";

/**
 * Shapes replaced even when no such value is configured: tokens of the service, JWTs, credentials and tokens in URLs. They
 * are bounded, far above what is in use, so that a text can be searched in windows.
 */
export const secretShapes: readonly SecretShape[] = [
  {
    hint: /sg[a-z]_/,
    pattern: new RegExp(
      `(${wordOf("sg")}(?:p_[A-Za-z0-9_]{8,1024}|[a-z]_(?:[A-Za-z0-9]{1,64}_)?[A-Za-z0-9]{16,1024}))`,
      "g",
    ),
  },
  {
    hint: /eyJ/,
    pattern: new RegExp(
      `(${wordOf("eyJ")}${jwtPart}{8,4096}[.]eyJ${jwtPart}{8,16384}[.]${jwtPart}{8,4096})(?!${jwtPart})`,
      "g",
    ),
  },
  {
    hint: /:\\{0,2}\//,
    pattern: new RegExp(String.raw`:\\{0,2}/\\{0,2}/${userPart}{0,256}:(${userPart}{1,256})(?=@)`, "g"),
  },
  {
    hint: /:\\{0,2}\//,
    pattern: new RegExp(String.raw`:\\{0,2}/\\{0,2}/(${userPart}{8,256})(?=@)`, "g"),
  },
  {
    hint: /token=/i,
    pattern: new RegExp(
      String.raw`(?:[?&]|\\u0026|&amp;|%26|%3F)(?:token|access_token|filter_read_token)=(${queryValue}{1,4096})`,
      "gi",
    ),
  },
  // Links that share a conversation hold its read token.
  {
    hint: /deepsearch/,
    pattern:
      /deepsearch\\{0,2}\/(?:shared\\{0,2}\/)?([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?![0-9a-fA-F-])/g,
  },
  {
    hint: /read_token/,
    pattern: /"read_token"[ ]?:[ ]?"([!#-[\]-~]{1,4096})(?=")/g,
  },
];
