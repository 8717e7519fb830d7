import { Socket } from "node:net";
import { defined } from "@assay/contract";
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { ClientCertificate } from "./client-certificate.ts";
import type { ClientLimits } from "./limits.ts";
import type { ProxyChoice } from "./proxy.ts";
import type { RunClock } from "./run-clock.ts";

/** What is seen of the one connection of an exchange. */
export interface ConnectionLog {
  connectedAtMicros?: number;
  /** First error of the socket; undici swallows some. */
  error?: Error;
  viaProxy: boolean;
  readonly sockets: Set<Socket>;
}

export interface DispatcherOptions {
  readonly limits: ClientLimits;
  readonly route: ProxyChoice;
  readonly certificates: readonly string[] | undefined;
  /** Given to the target where it asks for one, and never to a proxy. */
  readonly clientCertificate: ClientCertificate | undefined;
  readonly log: ConnectionLog;
  readonly clock: RunClock;
}

type Connector = ReturnType<typeof buildConnector>;

/** A connector that writes into the log what happens to its sockets. */
function observe(connect: Connector, { log, clock }: Pick<DispatcherOptions, "log" | "clock">): Connector {
  return (options, callback) => {
    // undici's connector gives the socket back at once, which its type does not say; one that still connects when the
    // exchange ends is closed by it.
    const started: unknown = connect(options, (error, socket) => {
      if (error === null) {
        log.connectedAtMicros ??= clock.nowMicros();
        log.sockets.add(socket);
        socket.on("error", (cause: Error) => (log.error ??= cause));
        callback(null, socket);
      } else {
        callback(error, null);
      }
    });
    if (started instanceof Socket) {
      log.sockets.add(started);
    }
  };
}

/**
 * A dispatcher for one exchange: its connection is never used again, so that nothing an exchange leaves behind can be
 * taken for an answer to the next one. http targets are asked of an http proxy directly, https ones through a tunnel.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { limits, route, certificates, clientCertificate, log } = options;
  const tls = { timeout: limits.connectTimeoutMs, ...(certificates && { ca: [...certificates] }) };
  const { certificates: cert, key } = clientCertificate ?? {};
  const toTarget = { ...tls, ...defined({ cert, key }) };
  const clientOptions = {
    connections: 1,
    pipelining: 1,
    maxHeaderSize: limits.maxHeaderBytes,
    // Ours end the exchange; those of undici may strike up to half a second early.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const proxyHref = route.proxy?.href ?? "";
  return new EnvHttpProxyAgent({
    ...clientOptions,
    httpProxy: proxyHref,
    httpsProxy: proxyHref,
    noProxy: route.noProxy,
    proxyTunnel: false,
    connect: buildConnector(toTarget),
    proxyTls: tls,
    requestTls: toTarget,
    factory: (origin: string | URL, poolOptions: Pool.Options) => {
      log.viaProxy = "uri" in poolOptions || String(origin) === proxyHref;
      const { connect } = poolOptions;
      const connector = typeof connect === "function" ? connect : buildConnector(tls);
      return new Pool(origin, { ...poolOptions, ...clientOptions, connect: observe(connector, options) });
    },
  });
}
