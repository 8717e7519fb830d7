import { visibleText } from "@assay/evidence";
import type { HeaderField } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { ok, note, notChecked } from "./check-results.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";

/** A proxy or gateway, and the settings that prevent it from buffering streams. */
interface ProxyProduct {
  readonly name: string;
  /** Lower-case names of headers that only this product sends. */
  readonly headers: readonly string[];
  /** Matches the product's names in `Server` or `Via`. */
  readonly names: RegExp;
  readonly advice: string;
}

const knownProxies: readonly ProxyProduct[] = [
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

/** Headers that indicate a proxy of any kind. */
const proxyHeaderNames: readonly string[] = [
  "via",
  "x-cache",
  "age",
  "x-served-by",
  "x-forwarded-for",
  "forwarded",
  "x-proxy-cache",
];

const selectHeaders = (headers: readonly HeaderField[], names: readonly string[]): readonly HeaderField[] =>
  headers.filter(([name]) => names.includes(name.toLowerCase()));

const createProxyFilter =
  (headers: readonly HeaderField[]) =>
  ({ headers: proxyHeaders, names }: ProxyProduct): boolean =>
    selectHeaders(headers, proxyHeaders).length > 0 ||
    selectHeaders(headers, ["server", "via"]).some(([, value]) => names.test(value));

const collectHeaders = ({ evidence }: ArrangedEvidence): readonly HeaderField[] =>
  evidence.exchanges.flatMap(({ response }) => response?.headers ?? []);

/** Detects known proxies by response headers. Returns them in the order of `knownProxies`. */
const detectProxies = (arranged: ArrangedEvidence): readonly ProxyProduct[] =>
  knownProxies.filter(createProxyFilter(collectHeaders(arranged)));

/** Returns advice for a stream that is held back: for the detected proxy if any, otherwise for common proxies. */
export function createUnbufferAdvice(arranged: ArrangedEvidence): string {
  const adviceByProxy = detectProxies(arranged).map(({ advice }) => advice);
  return adviceByProxy.length > 0
    ? adviceByProxy.join("; ")
    : "turn response buffering off for /.api/search/stream in the proxy (nginx and ingress: proxy_buffering off; pass `X-Accel-Buffering: no` through), and compression for text/event-stream";
}

const maxHeadersShown = 4;

/** Reports proxies that response headers reveal. */
export function checkFront(arranged: ArrangedEvidence): DoctorCheck {
  const id = "front";
  const headers = collectHeaders(arranged);
  if (headers.length === 0) {
    return notChecked(id);
  }
  const detectedProxies = detectProxies(arranged);
  const namesToShow = ["server", ...proxyHeaderNames, ...detectedProxies.flatMap((proxy) => proxy.headers)];
  const headersToShow = new Map(
    selectHeaders(headers, namesToShow).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { certificate } = arranged.evidence;
  const protocol = certificate.kind === "certificate" && certificate.protocol === "h2" ? "; it offers HTTP/2" : "";
  const hasProxy =
    detectedProxies.length > 0 || Array.from(headersToShow.keys()).some((name) => proxyHeaderNames.includes(name));
  const headersText = Array.from(headersToShow, ([name, value]) => `${name}: ${visibleText(value, 60)}`)
    .slice(0, maxHeadersShown)
    .join("; ");
  if (!hasProxy) {
    return ok(id, `no proxy detected${headersText === "" ? "" : ` (${headersText})`}${protocol}`);
  }
  const names = detectedProxies.map(({ name }) => name).join(", ");
  return note(id, [
    `${names === "" ? "a proxy or cache" : names} (${headersText})${protocol}`,
    "the stream problems below can most likely be fixed there",
  ]);
}
