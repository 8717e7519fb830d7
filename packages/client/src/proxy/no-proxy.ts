import { isIP, isIPv4 } from "node:net";
import { domainToASCII } from "node:url";

/** One parsed entry of `NO_PROXY`. */
interface Entry {
  /** In lower case, without brackets and trailing dot. */
  readonly host: string;
  /** Absent for all ports. */
  readonly port?: string;
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

const trimLastDot = (name: string): string => name.replace(/\.$/u, "");

/** Parses `[v6]`, `[v6]:port`, `host:port` or a host. Text with several colons is an IPv6 address. */
function parseEntry(text: string): Entry {
  const [, bracketedHost, bracketedPort] = /^\[([^\]]*)\](?::(.*))?$/u.exec(text) ?? [];
  if (bracketedHost !== undefined) {
    return { host: bracketedHost, ...(bracketedPort ? { port: bracketedPort } : {}) };
  }
  const [host = "", port, ...otherParts] = text.split(":");
  return otherParts.length > 0 || port === undefined
    ? { host: trimLastDot(text) }
    : { host: trimLastDot(host), ...(port === "" ? {} : { port }) };
}

const splitGroups = (half: string): readonly string[] => half.split(":").filter((group) => group !== "");

/** Converts an IPv6 address to a number. */
function parseIpv6(text: string): bigint {
  // URL normalizes the address and removes an embedded IPv4 form.
  const [left = "", right = ""] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split("::");
  const head = splitGroups(left);
  const tail = splitGroups(right);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

/** Converts an address to a number of 32 or 128 bits. Treats an IPv4-mapped IPv6 address as IPv4. Returns undefined for anything else. */
function parseAddress(text: string): { readonly value: bigint; readonly bits: 32 | 128 } | undefined {
  if (isIPv4(text)) {
    return { value: text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n), bits: 32 };
  }
  if (isIP(text) !== 6 || text.includes("%")) {
    return undefined;
  }
  const value = parseIpv6(text);
  return value >> 32n === 0xff_ffn ? { value: value & 0xff_ff_ff_ffn, bits: 32 } : { value, bits: 128 };
}

/** Reports whether an address is in the block of an entry such as `10.0.0.0/8`. */
function isInBlock(host: string, text: string): boolean {
  const [, network = "", digits = ""] = /^([^/]+)\/(\d{1,3})$/u.exec(text) ?? [];
  const [address, block] = [parseAddress(host), parseAddress(network)];
  if (address === undefined || block === undefined || address.bits !== block.bits) {
    return false;
  }
  // The prefix length of an IPv4-mapped block includes 96 bits of IPv6.
  const prefixLength = Number(digits) - (isIP(network) === 6 && block.bits === 32 ? 96 : 0);
  const hostBits = BigInt(block.bits - prefixLength);
  return prefixLength >= 0 && hostBits >= 0n && address.value >> hostBits === block.value >> hostBits;
}

const isSameAddress = (a: string, b: string): boolean => {
  const [first, second] = [parseAddress(a), parseAddress(b)];
  return first !== undefined && first.bits === second?.bits && first.value === second.value;
};

/**
 * Reports whether a host matches a name. `example.com` and `.example.com` match the name and its subdomains, `*.example.com` only the
 * subdomains.
 */
function matchesName(host: string, name: string): boolean {
  const isOnlySubdomains = name.startsWith("*.");
  const baseName = name.replace(/^\*?\./u, "");
  const asciiName = domainToASCII(baseName) || baseName;
  return asciiName !== "" && ((host === asciiName && !isOnlySubdomains) || host.endsWith(`.${asciiName}`));
}

/**
 * Reports whether `NO_PROXY` exempts a target from the proxy, as in curl or Go.
 *
 * An entry is a name (including its subdomains), an address, a block of addresses, or `*` for everything. A name or an address may have a
 * port. Case and a trailing dot are ignored. Entries are separated by commas or spaces. An IPv6 address may have brackets. Names are not
 * resolved.
 */
export function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = trimLastDot(hostname.toLowerCase()).replace(/^\[|\]$/gu, "");
  const isAddress = isIP(host) !== 0;
  const targetPort = port === "" ? defaultPorts[protocol] : port;
  const matchesEntry = (text: string): boolean => {
    if (text === "*" || (isAddress && isInBlock(host, text))) {
      return true;
    }
    const entry = parseEntry(text);
    const matchesHost = isAddress ? isSameAddress(host, entry.host) : matchesName(host, entry.host);
    return matchesHost && (entry.port === undefined || entry.port === targetPort);
  };
  return list
    .toLowerCase()
    .split(/[\s,]+/u)
    .some((text) => text !== "" && matchesEntry(text));
}
