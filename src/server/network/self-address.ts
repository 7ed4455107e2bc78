import { GatewayError } from "../../engine/errors.ts";
import type { ProviderSource } from "../providers/source.ts";
import type { ListenAddress } from "./address.ts";
import { isLoopback } from "./loopback.ts";

/** Throws `invalid_configuration` if a provider has the address of this server, which would call itself endlessly. */
export function refuseSelfAddress(sources: readonly ProviderSource[], { host, port }: ListenAddress): void {
  const own = sources.find(({ address }) => {
    const url = address === undefined ? null : URL.parse(address);
    const name = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
    return url !== null && Number(url.port) === port && (name === host || isLoopback(name));
  });
  if (own === undefined) return;
  const message = `The provider ${own.name} (${own.from}) has the address of this server, ${own.address}: it would call itself endlessly.`;
  throw new GatewayError("invalid_configuration", `${message} Serve on another --port, or change that address.`);
}
