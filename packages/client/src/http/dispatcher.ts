import { isIP, Socket } from "node:net";
import { connect as connectTls, createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";
import { defined } from "@assay/contract";
import { buildConnector, Dispatcher, EnvHttpProxyAgent, errors, Pool } from "undici";
import type { ClientCertificate } from "../tls/client-certificate.ts";
import type { ClientLimits } from "../limits.ts";
import type { RunClock } from "../run-clock.ts";

/** Events of the connection of an exchange. */
export interface ConnectionLog {
  connectedAtMicros?: number;
  /** The first error of the socket. undici hides some errors. */
  error?: Error;
  usesProxy: boolean;
  readonly sockets: Set<Socket>;
}

/** A connection over HTTP/1.1 that carries several requests, one after the other. Empty until the first response has ended well. */
export interface KeptConnection {
  open?: { readonly dispatcher: Dispatcher; readonly log: ConnectionLog } | undefined;
}

/**
 * Trusted authorities and client certificate of connections. An undefined context is Node's default. Created once for all requests, because
 * reading the root certificates takes 50 ms.
 */
export interface TlsIdentity {
  readonly toTarget: () => SecureContext | undefined;
  /** Without the client certificate, which a proxy never receives. */
  readonly toProxy: () => SecureContext | undefined;
  readonly hasClientCertificate: boolean;
}

function createOnce(create: () => SecureContext): () => SecureContext {
  let context: SecureContext | undefined;
  return () => (context ??= create());
}

/** Creates contexts on first use. Undefined `authorities` are Node's. Without a client certificate none is presented. */
export function createTlsIdentity(
  authorities: readonly string[] | undefined,
  clientCertificate: ClientCertificate | undefined,
): TlsIdentity {
  const trustOptions = authorities && { ca: [...authorities] };
  const toProxy = trustOptions === undefined ? () => undefined : createOnce(() => createSecureContext(trustOptions));
  if (clientCertificate === undefined) {
    return { toTarget: toProxy, toProxy, hasClientCertificate: false };
  }
  const { certificates: cert, key } = clientCertificate;
  const toTarget = createOnce(() => createSecureContext({ ...trustOptions, cert, key }));
  return { toTarget, toProxy, hasClientCertificate: true };
}

export interface DispatcherOptions {
  readonly limits: ClientLimits;
  /** URL of the proxy. Undefined if there is none. */
  readonly proxy: URL | undefined;
  /** Set if the target or the proxy uses https. */
  readonly isEncrypted: boolean;
  readonly tls: TlsIdentity;
  readonly log: ConnectionLog;
  readonly clock: RunClock;
}

type Connector = ReturnType<typeof buildConnector>;

/** Returns a connector that logs the events of its sockets. */
function observeSockets(connect: Connector, { log, clock }: Pick<DispatcherOptions, "log" | "clock">): Connector {
  return (options, callback) => {
    // undici's connector returns the socket immediately, which its type omits. If the exchange ends while connecting, this closes it.
    const startedSocket: unknown = connect(options, (error, socket) => {
      if (error === null) {
        log.connectedAtMicros ??= clock.nowMicros();
        log.sockets.add(socket);
        socket.on("error", (cause: Error) => (log.error ??= cause));
        callback(null, socket);
      } else {
        callback(error, null);
      }
    });
    if (startedSocket instanceof Socket) {
      log.sockets.add(startedSocket);
    }
  };
}

interface TlsOptions {
  readonly timeout: number;
  readonly secureContext?: SecureContext;
}

/** The way to connect to the target, and the protocol to use. */
interface ConnectionSetup {
  readonly connect: (tls: TlsOptions) => Connector;
  /** True if HTTP/2 is also offered through the tunnel of a proxy. */
  readonly offersHttp2: boolean;
  readonly createOriginDispatcher: (origin: string | URL, connect: Connector, options: Pool.Options) => Dispatcher;
}

/** Creates a dispatcher for one exchange. An http proxy forwards requests to http targets and tunnels those to https targets. */
function createAgent(
  options: DispatcherOptions,
  { connect, offersHttp2, createOriginDispatcher }: ConnectionSetup,
): Dispatcher {
  const { limits, proxy, isEncrypted, tls: identity, log } = options;
  const createTlsOptions = (context: () => SecureContext | undefined): TlsOptions => ({
    timeout: limits.connectTimeoutMs,
    ...defined({ secureContext: isEncrypted ? context() : undefined }),
  });
  const tls = createTlsOptions(identity.toProxy);
  const toTarget = createTlsOptions(identity.toTarget);
  const clientOptions = {
    connections: 1,
    pipelining: 1,
    maxHeaderSize: limits.maxHeaderBytes,
    // Assay's own deadlines end the exchange. undici's may fire half a second early.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const proxyHref = proxy?.href ?? "";
  return new EnvHttpProxyAgent({
    ...clientOptions,
    httpProxy: proxyHref,
    httpsProxy: proxyHref,
    // The proxy is already chosen. Without this, undici would read the environment.
    noProxy: "",
    proxyTunnel: false,
    connect: connect(toTarget),
    proxyTls: tls,
    requestTls: { ...toTarget, allowH2: offersHttp2 },
    factory: (origin: string | URL, poolOptions: Pool.Options) => {
      log.usesProxy = "uri" in poolOptions || String(origin) === proxyHref;
      const poolConnector = poolOptions.connect;
      const connector = typeof poolConnector === "function" ? poolConnector : buildConnector(tls);
      return createOriginDispatcher(origin, observeSockets(connector, options), { ...poolOptions, ...clientOptions });
    },
  });
}

/** Creates a dispatcher over HTTP/1.1 with one connection. */
export const createDispatcher = (options: DispatcherOptions): Dispatcher =>
  createAgent(options, {
    connect: buildConnector,
    offersHttp2: false,
    createOriginDispatcher: (origin, connect, poolOptions) => new Pool(origin, { ...poolOptions, connect }),
  });

/** Offers HTTP/2 only: some targets prefer HTTP/1.1 if both are offered. */
const connectHttp2 =
  ({ timeout, ...tls }: TlsOptions): Connector =>
  ({ hostname, port, servername }, callback) => {
    const socket = connectTls({
      ...tls,
      host: hostname,
      port: Number(port === "" ? 443 : port),
      ...(isIP(hostname) === 0 ? { servername: servername ?? hostname } : {}),
      ALPNProtocols: ["h2"],
    });
    const timer = setTimeout(() => socket.destroy(new errors.ConnectTimeoutError("Connect Timeout Error")), timeout);
    const settle = (error: Error | null): void => {
      clearTimeout(timer);
      socket.off("error", settle);
      if (error === null) {
        callback(null, socket);
      } else {
        callback(error, null);
      }
    };
    socket.setNoDelay(true).setKeepAlive(true, 60_000);
    socket.once("error", settle);
    socket.once("secureConnect", () => settle(null));
    return socket;
  };

/** A dispatcher that only connects. */
class ConnectingDispatcher extends Dispatcher {
  readonly #connect: () => void;

  constructor(connect: () => void) {
    super();
    this.#connect = connect;
  }

  override dispatch(): boolean {
    this.#connect();
    return true;
  }

  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}
}

/** A connection for which HTTP/2 was offered, and its owner. */
export interface OpenedConnection {
  readonly dispatcher: Dispatcher | undefined;
  /** Rejects with the connection error. */
  readonly socket: Promise<Socket>;
}

/** Opens a connection and offers HTTP/2. The socket's `alpnProtocol` shows whether the target accepted it. */
export function openHttp2Connection(url: URL, options: DispatcherOptions): OpenedConnection {
  const { hostname, host, protocol, port, origin } = url;
  const address = { hostname: hostname.replace(/^\[|\]$/gu, ""), host, protocol, port };
  let dispatcher: Dispatcher | undefined;
  const socket = new Promise<Socket>((resolve, reject) => {
    const connectOn = (connect: Connector) => (): void =>
      connect(address, (error, openSocket) => (error === null ? resolve(openSocket) : reject(error)));
    dispatcher = createAgent(options, {
      connect: connectHttp2,
      offersHttp2: true,
      createOriginDispatcher: (_origin, connect) => new ConnectingDispatcher(connectOn(connect)),
    });
    const handler = { onRequestStart() {}, onResponseError: (_controller: unknown, error: Error) => reject(error) };
    dispatcher.dispatch({ origin, path: "/", method: "GET" }, handler);
  });
  return { dispatcher, socket };
}
