import { isIP, isIPv4 } from "node:net";
import { domainToASCII } from "node:url";

/** One entry of `NO_PROXY`, as it is compared with a host. */
interface Entry {
  /** In lower case, without brackets and without a dot at the end. */
  readonly host: string;
  /** Absent for every port. */
  readonly port?: string;
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

const withoutLastDot = (name: string): string => name.replace(/\.$/u, "");

/** `[v6]`, `[v6]:port`, `host:port` or a host; a name with several colons is an IPv6 address. */
function entryOf(text: string): Entry {
  const [, bracketed, portBehind] = /^\[([^\]]*)\](?::(.*))?$/u.exec(text) ?? [];
  if (bracketed !== undefined) {
    return { host: bracketed, ...(portBehind ? { port: portBehind } : {}) };
  }
  const [host = "", port, ...more] = text.split(":");
  return more.length > 0 || port === undefined
    ? { host: withoutLastDot(text) }
    : { host: withoutLastDot(host), ...(port === "" ? {} : { port }) };
}

const groupsOf = (half: string): readonly string[] => half.split(":").filter((group) => group !== "");

/** An IPv6 address as a number. */
function valueOfIpv6(text: string): bigint {
  // An URL writes each in one way, without an IPv4 address in it.
  const [left = "", right = ""] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split("::");
  const head = groupsOf(left);
  const tail = groupsOf(right);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

/** An address as a number of so many bits; an IPv4 address inside an IPv6 one is the IPv4 address. Undefined for anything else. */
function addressOf(text: string): { readonly value: bigint; readonly bits: 32 | 128 } | undefined {
  if (isIPv4(text)) {
    return { value: text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n), bits: 32 };
  }
  if (isIP(text) !== 6 || text.includes("%")) {
    return undefined;
  }
  const value = valueOfIpv6(text);
  return value >> 32n === 0xff_ffn ? { value: value & 0xff_ff_ff_ffn, bits: 32 } : { value, bits: 128 };
}

/** Whether an address lies in the block that an entry such as `10.0.0.0/8` names. */
function isInBlock(host: string, text: string): boolean {
  const [, network = "", digits = ""] = /^([^/]+)\/(\d{1,3})$/u.exec(text) ?? [];
  const [address, block] = [addressOf(host), addressOf(network)];
  if (address === undefined || block === undefined || address.bits !== block.bits) {
    return false;
  }
  // The block of an IPv4 address inside an IPv6 one counts the bits of the latter.
  const kept = Number(digits) - (isIP(network) === 6 && block.bits === 32 ? 96 : 0);
  const left = BigInt(block.bits - kept);
  return kept >= 0 && left >= 0n && address.value >> left === block.value >> left;
}

const isSameAddress = (one: string, other: string): boolean => {
  const [first, second] = [addressOf(one), addressOf(other)];
  return first !== undefined && first.bits === second?.bits && first.value === second.value;
};

/** `example.com` and `.example.com` are the name and all names below it, `*.example.com` only those below it. */
function isNamed(host: string, name: string): boolean {
  const isBelowAlone = name.startsWith("*.");
  const bare = name.replace(/^\*?\./u, "");
  const ascii = domainToASCII(bare) || bare;
  return ascii !== "" && ((host === ascii && !isBelowAlone) || host.endsWith(`.${ascii}`));
}

/**
 * Whether `NO_PROXY` keeps a target out of the proxy. It does where curl or Go would: an entry is a name (with all names below it), an
 * address, a block of addresses, or `*` for everything; a name or an address may have a port. Case and a dot at the end do not matter.
 * Entries are parted by commas or spaces. An IPv6 address may have brackets. Names are not looked up.
 */
export function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = withoutLastDot(hostname.toLowerCase()).replace(/^\[|\]$/gu, "");
  const isAddress = isIP(host) !== 0;
  const asked = port === "" ? defaultPorts[protocol] : port;
  const isMatch = (text: string): boolean => {
    if (text === "*" || (isAddress && isInBlock(host, text))) {
      return true;
    }
    const entry = entryOf(text);
    const isHost = isAddress ? isSameAddress(host, entry.host) : isNamed(host, entry.host);
    return isHost && (entry.port === undefined || entry.port === asked);
  };
  return list
    .toLowerCase()
    .split(/[\s,]+/u)
    .some((text) => text !== "" && isMatch(text));
}
