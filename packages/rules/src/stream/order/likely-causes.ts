import type { HeaderField } from "@assay/evidence";

/** A response header that may explain why a stream was delayed. */
interface Sign {
  readonly header: string;
  /** Values that explain nothing, or all values that do. */
  readonly when?: (value: string) => boolean;
  readonly means: string;
}

/** Proxies that buffer responses by default. */
const proxies =
  /nginx|openresty|envoy|apache|httpd|haproxy|traefik|caddy|varnish|squid|cloudflare|cloudfront|akamai|awselb|iis/iu;

const signs: readonly Sign[] = [
  { header: "Content-Length", means: "the answer was complete before its head was sent" },
  {
    header: "Content-Encoding",
    when: (value) => !/^\s*(?:identity)?\s*$/iu.test(value),
    means: "compression that is not flushed holds events back",
  },
  { header: "Via", means: "a proxy passed the answer on" },
  { header: "X-Cache", means: "a cache passed the answer on" },
  { header: "CF-Ray", means: "a content delivery network passed the answer on" },
  { header: "Age", means: "a cache passed the answer on" },
  {
    header: "Server",
    when: (value) => proxies.test(value),
    means: "a proxy of this kind may buffer what it passes on",
  },
];

/** Value of the first header with that name that counts as a sign. */
const valueOf = (headers: readonly HeaderField[], { header, when = () => true }: Sign): string | undefined =>
  headers.find(([name, value]) => name.toLowerCase() === header.toLowerCase() && when(value))?.[1];

/** Reports whether the target disabled the buffering of nginx. */
const isUnbuffered = (headers: readonly HeaderField[]): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === "x-accel-buffering" && /^\s*no\s*$/iu.test(value));

const maxShown = 80;

/** A value of the target as printable ASCII that cannot end a quotation, at most 80 characters and an ellipsis. */
function shownHeader(value: string): string {
  const text = value.slice(0, maxShown).replaceAll(/[^\x20-\x7e]|`/gu, "?");
  return value.length > maxShown ? `${text}…` : text;
}

/**
 * Likely causes of a delayed stream in the response headers: one clause for each sign, in a fixed order, at most
 * eight. Quotes header values, made safe to show.
 */
export function likelyCauses(headers: readonly HeaderField[]): readonly string[] {
  const found = signs.flatMap((sign) => {
    const value = valueOf(headers, sign);
    return value === undefined ? [] : `\`${sign.header}: ${shownHeader(value)}\` (${sign.means})`;
  });
  return isUnbuffered(headers) ? found : [...found, "no `X-Accel-Buffering: no` (nginx buffers without it)"];
}
