import { visibleText } from "@assay/evidence";
import type { HeaderField } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { fine, note, notAsked } from "./findings.ts";
import type { SeenAnswers } from "./seen-answers.ts";

/** Something that stands in front of services, and how it is told not to hold a stream back. */
interface Front {
  readonly name: string;
  /** Names of headers, in lower case, that only it sends. */
  readonly headers: readonly string[];
  /** What it calls itself in `Server` or `Via`. */
  readonly names: RegExp;
  readonly advice: string;
}

const fronts: readonly Front[] = [
  {
    name: "nginx",
    headers: ["x-accel-redirect"],
    names: /nginx|openresty/iu,
    advice:
      'nginx: `proxy_buffering off;` and `gzip off;` in the location of /.api/search/stream (ingress-nginx: the annotation proxy-buffering: "off"), and do not ignore X-Accel-Buffering',
  },
  {
    name: "Cloudflare",
    headers: ["cf-ray", "cf-cache-status"],
    names: /cloudflare/iu,
    advice:
      "Cloudflare: a rule for /.api/search/stream that bypasses the cache and turns response buffering, compression and rewriting off",
  },
  {
    name: "Amazon CloudFront",
    headers: ["x-amz-cf-id", "x-amz-cf-pop"],
    names: /cloudfront/iu,
    advice: "CloudFront: a behaviour for /.api/* without caching and with automatic compression off",
  },
  {
    name: "Envoy",
    headers: ["x-envoy-upstream-service-time", "x-envoy-decorator-operation"],
    names: /envoy/iu,
    advice: "Envoy or Istio: no buffer filter and no compressor filter on the route of /.api/search/stream",
  },
  {
    name: "Azure Front Door",
    headers: ["x-azure-ref", "x-ms-request-id"],
    names: /azure/iu,
    advice:
      "Azure: turn response buffering off (Application Gateway), and caching and compression (Front Door) for /.api/*",
  },
  {
    name: "Google Front End",
    headers: [],
    names: /^Google Frontend$|^gws$|\b1\.1 google\b/iu,
    advice: "Google Cloud: raise the timeout of the backend, and turn compression and the CDN off for /.api/*",
  },
  {
    name: "Apache",
    headers: [],
    names: /^Apache|httpd/iu,
    advice: "Apache: `flushpackets=on` at ProxyPass, and no mod_deflate for text/event-stream",
  },
  {
    name: "Traefik",
    headers: [],
    names: /traefik/iu,
    advice: "Traefik: no buffering and no compress middleware for /.api/search/stream",
  },
  {
    name: "Caddy",
    headers: [],
    names: /caddy/iu,
    advice: "Caddy: `flush_interval -1` in reverse_proxy, and no encode for text/event-stream",
  },
  {
    name: "HAProxy",
    headers: [],
    names: /haproxy/iu,
    advice: "HAProxy: `option http-no-delay`, no compression for text/event-stream",
  },
  {
    name: "Varnish",
    headers: ["x-varnish"],
    names: /varnish/iu,
    advice: "Varnish: `set beresp.do_stream = true` and pass for /.api/*",
  },
  {
    name: "Squid",
    headers: [],
    names: /squid/iu,
    advice: "Squid: no content adaptation (ICAP) and no cache for this host",
  },
];

/** What tells of something in between, whatever it is. */
const signNames: readonly string[] = [
  "via",
  "x-cache",
  "age",
  "x-served-by",
  "x-forwarded-for",
  "forwarded",
  "x-proxy-cache",
];

const valuesOf = (headers: readonly HeaderField[], names: readonly string[]): readonly HeaderField[] =>
  headers.filter(([name]) => names.includes(name.toLowerCase()));

const isFrom =
  (headers: readonly HeaderField[]) =>
  ({ headers: own, names }: Front): boolean =>
    valuesOf(headers, own).length > 0 || valuesOf(headers, ["server", "via"]).some(([, value]) => names.test(value));

const headersOf = ({ evidence }: SeenAnswers): readonly HeaderField[] =>
  evidence.exchanges.flatMap(({ response }) => response?.headers ?? []);

/** What is known to stand in front, as far as the heads of answers tell; in a fixed order. */
const frontsOf = (seen: SeenAnswers): readonly Front[] => fronts.filter(isFrom(headersOf(seen)));

/** What to do about a stream that is held back: for the proxy, else for what often is. */
export function unbufferAdvice(seen: SeenAnswers): string {
  const known = frontsOf(seen).map(({ advice }) => advice);
  return known.length > 0
    ? known.join("; ")
    : "turn response buffering off for /.api/search/stream in whatever is in front (nginx and ingress: proxy_buffering off; have `X-Accel-Buffering: no` passed on), and compression for text/event-stream";
}

const maxShown = 4;

/** What the heads of answers tell of what stands in front. */
export function checkFront(seen: SeenAnswers): DoctorCheck {
  const id = "front";
  const headers = headersOf(seen);
  if (headers.length === 0) {
    return notAsked(id);
  }
  const known = frontsOf(seen);
  const telling = ["server", ...signNames, ...known.flatMap((front) => front.headers)];
  const signs = new Map(valuesOf(headers, telling).map(([name, value]) => [name.toLowerCase(), value]));
  const { certificate } = seen.evidence;
  const protocol = certificate.kind === "certificate" && certificate.protocol === "h2" ? "; it offers HTTP/2" : "";
  const hasFront = known.length > 0 || Array.from(signs.keys()).some((name) => signNames.includes(name));
  const shown = Array.from(signs, ([name, value]) => `${name}: ${visibleText(value, 60)}`)
    .slice(0, maxShown)
    .join("; ");
  if (!hasFront) {
    return fine(id, `no proxy detected${shown === "" ? "" : ` (${shown})`}${protocol}`);
  }
  const names = known.map(({ name }) => name).join(", ");
  return note(id, [
    `${names === "" ? "a proxy or cache" : names} (${shown})${protocol}`,
    "what is found below about the stream is most likely to be fixed there",
  ]);
}
