import { GatewayError } from "../../errors.ts";
import type { Source } from "../providers/source.ts";
import type { Place } from "./address.ts";
import { isLoopback } from "./loopback.ts";

/** A provider whose address is this server would be asked by itself without end. */
export function refuseLoop(sources: readonly Source[], { host, port }: Place): void {
  const own = sources.find(({ address }) => {
    const url = address === undefined ? null : URL.parse(address);
    const name = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
    return url !== null && Number(url.port) === port && (name === host || isLoopback(name));
  });
  if (own === undefined) return;
  const message = `The provider ${own.name} (${own.from}) has this server's own address, ${own.address}: it would ask itself without end.`;
  throw new GatewayError("invalid_configuration", `${message} Serve on another --port, or change that address.`);
}
