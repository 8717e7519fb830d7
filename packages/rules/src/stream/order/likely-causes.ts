import type { HeaderField } from "@assay/evidence";

/** A response header that may explain why a stream was delayed. */
interface DelaySign {
  readonly header: string;
  /** Reports whether a value explains a delay [every value does]. */
  readonly when?: (value: string) => boolean;
  readonly means: string;
}

/** Proxies that buffer responses by default. */
const proxies =
  /nginx|openresty|envoy|apache|httpd|haproxy|traefik|caddy|varnish|squid|cloudflare|cloudfront|akamai|awselb|iis/iu;

const signs: readonly DelaySign[] = [
  { header: "Content-Length", means: "the response was complete before its head was sent" },
  {
    header: "Content-Encoding",
    when: (value) => !/^\s*(?:identity)?\s*$/iu.test(value),
    means: "compression without flushing delays events",
  },
  { header: "Via", means: "a proxy forwarded the response" },
  { header: "X-Cache", means: "a cache forwarded the response" },
  { header: "CF-Ray", means: "a content delivery network forwarded the response" },
  { header: "Age", means: "a cache forwarded the response" },
  {
    header: "Server",
    when: (value) => proxies.test(value),
    means: "a proxy of this kind may buffer responses",
  },
];

/** The value of the first header that explains a delay. */
const valueOf = (headers: readonly HeaderField[], { header, when = () => true }: DelaySign): string | undefined =>
  headers.find(([name, value]) => name.toLowerCase() === header.toLowerCase() && when(value))?.[1];

/** Reports whether the target disabled the buffering of nginx. */
const isUnbuffered = (headers: readonly HeaderField[]): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === "x-accel-buffering" && /^\s*no\s*$/iu.test(value));

const maxShown = 80;

/**
 * Formats a header value as printable ASCII that cannot end a quotation, with at most 80 characters and an ellipsis.
 */
function formatHeader(value: string): string {
  const text = value.slice(0, maxShown).replaceAll(/[^\x20-\x7e]|`/gu, "?");
  return value.length > maxShown ? `${text}…` : text;
}

/**
 * Finds likely causes of a delayed stream in the response headers: one clause for each header, in a fixed order, at
 * most eight. Quoted header values are safe to show.
 */
export function likelyCauses(headers: readonly HeaderField[]): readonly string[] {
  const causes = signs.flatMap((sign) => {
    const value = valueOf(headers, sign);
    return value === undefined ? [] : `\`${sign.header}: ${formatHeader(value)}\` (${sign.means})`;
  });
  return isUnbuffered(headers) ? causes : [...causes, "no `X-Accel-Buffering: no` (nginx buffers without it)"];
}
