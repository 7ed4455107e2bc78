import { isDeepStrictEqual } from "node:util";
import type { ProviderCredential } from "../../portal/credentials/credential-source.ts";
import type { OutgoingNetwork } from "./network.ts";
import { addCredentials, type ProviderParts } from "./portal-credentials.ts";
import { makeSource, type ProviderOrder, type ProviderSource } from "./source.ts";

/** A provider, and what it was made of; without an order it came as an object. */
export interface MadeProvider {
  readonly order: ProviderOrder | undefined;
  readonly source: ProviderSource;
}

/** Providers that were made before, and the network that they call over. */
export interface FormerProviders {
  readonly made: readonly MadeProvider[];
  readonly network: OutgoingNetwork;
}

/** What providers are made of. */
interface ToMake {
  readonly parts: ProviderParts;
  /** The credentials of the portal. */
  readonly credentials: readonly ProviderCredential[];
}

/** Makes the providers of a configuration; one whose order and network are those of a former one is that one. */
export async function makeProviders(
  { parts, credentials }: ToMake,
  network: OutgoingNetwork,
  former: FormerProviders | undefined,
): Promise<readonly MadeProvider[]> {
  const usable = former && isDeepStrictEqual(former.network.options, network.options) ? former.made : [];
  const orders = addCredentials(parts, credentials);
  const made = orders.map(
    async (order) => findMade(order, usable) ?? { order, source: await makeSource(order, network) },
  );
  return [...parts.objects.map((source) => ({ order: undefined, source })), ...(await Promise.all(made))];
}

function findMade(order: ProviderOrder, made: readonly MadeProvider[]): MadeProvider | undefined {
  const { kind, ...settings } = order;
  return made.find((one) => {
    if (one.order?.kind !== kind) return false;
    const { kind: _kind, ...others } = one.order;
    return isDeepStrictEqual(settings, others);
  });
}
