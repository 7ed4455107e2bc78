import { type HttpRequest, readHeader } from "../message.ts";
import { namesThisMachine } from "./cookie.ts";

/** Headers that proxies add: the peer of a proxy on this machine is this machine, its caller need not be. */
const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** True where the caller is on the machine of the gateway: by the peer's address and by the name that it asked for, without a proxy. */
export function isFromThisMachine({ address, headers }: Pick<HttpRequest, "address" | "headers">): boolean {
  const isLoopback = address !== undefined && /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/.test(address);
  return isLoopback && namesThisMachine(headers) && forwarding.every((name) => readHeader(headers, name) === undefined);
}
