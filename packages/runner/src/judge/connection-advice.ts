import type { ExchangeEnd } from "@assay/evidence";

const adviceByCode: Readonly<Record<string, string>> = {
  dns: "check how the name is written, and whether this machine can resolve it (a VPN or a cluster may be needed)",
  refused: "check the port, and that the instance and its proxy are up",
  unreachable: "check routes and firewalls between this machine and the address",
  "connect-timeout": "check the port; a firewall or a security group may drop the packets",
};

/** Matches OpenSSL errors for responses that are not TLS. */
const notTlsError = /ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)/u;

/** Returns advice about a failed connection. Returns undefined if the request failed later or if its message is sufficient. */
export const connectionAdvice = (end: ExchangeEnd): string | undefined => {
  if (end.kind !== "failed") {
    return undefined;
  }
  return notTlsError.test(end.message)
    ? "write http:// instead of https://, or give the port that takes HTTPS"
    : adviceByCode[end.code];
};
