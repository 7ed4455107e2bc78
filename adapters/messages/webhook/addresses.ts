import { BlockList, isIP } from "node:net";

/** Networks that are not the public Internet: this machine, private and link-local networks, documentation, multicast, translation. */
const closedNetworks = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
  ...["::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16"],
  ...["3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
];

/** Tells whether an address, `127.0.0.1` or `::1`, may be called. */
export type MayCall = (address: string) => boolean;

/** Returns the judge of addresses: public ones may be called, and those of the networks that are allowed. */
export function judgeAddresses(allowed: readonly string[]): MayCall {
  const [closed, open] = [listOf(closedNetworks), listOf(allowed)];
  return (address) => {
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    return isIP(address) !== 0 && (open.check(address, family) || !closed.check(address, family));
  };
}

/** True for a network as `10.0.0.0/8`, or one address. */
export function isNetwork(text: unknown): boolean {
  return typeof text === "string" && readNetwork(text) !== undefined;
}

function readNetwork(text: string) {
  const [address = "", digits, ...more] = text.split("/");
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  const bits = digits === undefined ? most : Number(digits);
  const isSound = version !== 0 && more.length === 0 && /^\d{1,3}$/.test(digits ?? "0") && bits <= most;
  return isSound ? { address, bits, family: version === 6 ? ("ipv6" as const) : ("ipv4" as const) } : undefined;
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = readNetwork(text);
    if (network) list.addSubnet(network.address, network.bits, network.family);
  }
  return list;
}
