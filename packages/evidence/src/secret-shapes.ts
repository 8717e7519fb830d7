/** A kind of text that is a secret by its look, for text in which each character is one byte. */
export interface SecretShape {
  /** Cheap test; nothing of this shape is in a text that fails it. */
  readonly hint: RegExp;
  /** Group 1 is what stays, group 2 the secret. Linear on hostile text: a run of characters is entered once only. */
  readonly pattern: RegExp;
}

// A secret begins where no word goes on, or after a JSON escape such as `\n`, whose letter belongs to no word.
const wordStart = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt]))`;

// Printable ASCII without what ends a part of a URL or a JSON string. ASCII only: cutting a UTF-8 sequence would damage
// the text.
const userPart = String.raw`[A-Za-z0-9._~!$&()*+,;=%-]`;
const queryValue = String.raw`[A-Za-z0-9._~!$()*+,:/=%-]`;

/** Shapes replaced even when no such value is configured: tokens of the service, JWTs, credentials and tokens in URLs. */
export const secretShapes: readonly SecretShape[] = [
  {
    hint: /sg[a-z]_/,
    pattern: new RegExp(`${wordStart}()(sgp_[A-Za-z0-9_]{8,}|sg[a-z]_(?:[A-Za-z0-9]+_)?[A-Za-z0-9]{16,})`, "g"),
  },
  {
    hint: /eyJ/,
    pattern: new RegExp(
      `${wordStart}()(eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.][A-Za-z0-9_-]{8,})(?![A-Za-z0-9_-])`,
      "g",
    ),
  },
  {
    hint: /:\\{0,2}\//,
    pattern: new RegExp(String.raw`(:\\{0,2}/\\{0,2}/${userPart}{0,256}:)(${userPart}{1,256})(?=@)`, "g"),
  },
  {
    hint: /:\\{0,2}\//,
    pattern: new RegExp(String.raw`(:\\{0,2}/\\{0,2}/)(${userPart}{8,256})(?=@)`, "g"),
  },
  {
    hint: /token=/i,
    pattern: new RegExp(
      String.raw`((?:[?&]|\\u0026|&amp;|%26|%3F)(?:token|access_token|filter_read_token)=)(${queryValue}{1,4096})`,
      "gi",
    ),
  },
  {
    hint: /read_token/,
    pattern: /("read_token"[ ]?:[ ]?")([!#-[\]-~]{1,4096})(?=")/g,
  },
];
