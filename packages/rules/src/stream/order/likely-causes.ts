import type { HeaderField } from "@assay/evidence";

/** A response header that may explain why a stream was delayed. */
interface DelaySign {
  readonly header: string;
  /** Reports whether a value explains a delay. By default, every value does. */
  readonly explainsDelay?: (value: string) => boolean;
  readonly meaning: string;
}

/** Proxies that buffer responses by default. */
const bufferingProxies =
  /nginx|openresty|envoy|apache|httpd|haproxy|traefik|caddy|varnish|squid|cloudflare|cloudfront|akamai|awselb|iis/iu;

const delaySigns: readonly DelaySign[] = [
  { header: "Content-Length", meaning: "the response was complete before its head was sent" },
  {
    header: "Content-Encoding",
    explainsDelay: (value) => !/^\s*(?:identity)?\s*$/iu.test(value),
    meaning: "compression without flushing delays events",
  },
  { header: "Via", meaning: "a proxy forwarded the response" },
  { header: "X-Cache", meaning: "a cache forwarded the response" },
  { header: "CF-Ray", meaning: "a content delivery network forwarded the response" },
  { header: "Age", meaning: "a cache forwarded the response" },
  {
    header: "Server",
    explainsDelay: (value) => bufferingProxies.test(value),
    meaning: "a proxy of this kind may buffer responses",
  },
];

/** Returns the value of the first header that explains a delay. */
const findValue = (
  headers: readonly HeaderField[],
  { header, explainsDelay = () => true }: DelaySign,
): string | undefined =>
  headers.find(([name, value]) => name.toLowerCase() === header.toLowerCase() && explainsDelay(value))?.[1];

/** Reports whether the target disabled the buffering of nginx. */
const isUnbuffered = (headers: readonly HeaderField[]): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === "x-accel-buffering" && /^\s*no\s*$/iu.test(value));

const maxHeaderCharacters = 80;

/**
 * Formats a header value as printable ASCII that cannot end a quotation, with at most 80 characters and an ellipsis.
 */
function formatHeader(value: string): string {
  const text = value.slice(0, maxHeaderCharacters).replaceAll(/[^\x20-\x7e]|`/gu, "?");
  return value.length > maxHeaderCharacters ? `${text}…` : text;
}

/**
 * Finds likely causes of a delayed stream in the response headers: one clause for each header, in a fixed order, at
 * most eight. Quoted header values are safe to show.
 */
export function describeLikelyCauses(headers: readonly HeaderField[]): readonly string[] {
  const causes = delaySigns.flatMap((sign) => {
    const value = findValue(headers, sign);
    return value === undefined ? [] : `\`${sign.header}: ${formatHeader(value)}\` (${sign.meaning})`;
  });
  return isUnbuffered(headers) ? causes : [...causes, "no `X-Accel-Buffering: no` (nginx buffers without it)"];
}
