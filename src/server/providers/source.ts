import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import type { Provider } from "../../engine/ports/provider.ts";
import { secretsOf } from "../../engine/runtime/request-secrets.ts";
import type { ProviderKind, ProviderSettings } from "./kinds.ts";
import type { OutgoingNetwork } from "./network.ts";

/** A provider, and where it was found. */
export interface ProviderSource {
  readonly name: string;
  /** The name of its kind, which sells at its prices; `undefined` for a server of one's own and for an object. */
  readonly vendor: string | undefined;
  /** For people: `OPENAI_API_KEY`, `tollgate.config.yaml`, `answers on port 11434`. */
  readonly from: string;
  /** The base URL without secret parts; `undefined` if there is none or it is unknown. */
  readonly address: string | undefined;
  /** The last four characters of the key, when there is one that is long enough to show any. */
  readonly keyEnd: string | undefined;
  /** The number of keys; `undefined` for a provider object that does not report them. */
  readonly keys: number | undefined;
  /** Secret values, which must appear in no output. */
  readonly secrets: readonly string[];
  readonly provider: Provider;
}

/** A provider to be created. */
export interface ProviderOrder {
  readonly name: string;
  readonly vendor: string | undefined;
  readonly from: string;
  readonly kind: ProviderKind;
  readonly settings: ProviderSettings;
}

/** Makes the provider; throws `invalid_configuration` naming the field of `providers` that is wrong. */
export async function makeSource(order: ProviderOrder, network: OutgoingNetwork): Promise<ProviderSource> {
  const { name, vendor, from, kind, settings } = order;
  const { apiKey, credentials = [], baseUrl = kind.baseUrl, headers = {} } = settings;
  const provider = await makeOver(network, order).catch((thrown: unknown) => {
    if (!isGatewayError(thrown) || thrown.code !== "invalid_configuration") throw thrown;
    const param = ["providers", name, ...(thrown.param === undefined ? [] : [thrown.param])].join(".");
    throw new GatewayError("invalid_configuration", `${from}: ${thrown.message}`, { param });
  });
  const keys = [...(apiKey === undefined ? [] : [apiKey]), ...credentials.map((each) => each.apiKey)];
  const ofAddress = baseUrl === undefined ? undefined : (URL.parse(baseUrl) ?? undefined);
  const secrets = [...keys.filter((key) => key.length >= 6), ...secretsOf(headers, ofAddress)];
  const shown = { address: withoutSecrets(baseUrl), keyEnd: endOf(apiKey), keys: keys.length };
  return { name, vendor, from, ...shown, secrets, provider };
}

/** The provider over a transport of its own, which it closes, where the network has settings and the kind calls over one. */
async function makeOver(network: OutgoingNetwork, { name, kind, settings }: ProviderOrder): Promise<Provider> {
  const transport = "baseUrl" in kind.shape.shape ? await network.open() : undefined;
  if (transport === undefined) return kind.make(name, settings);
  const provider = await kind.make(name, { ...settings, transport });
  const close = async () => {
    await provider.close?.();
    await transport.close();
  };
  return { ...provider, close };
}

/** Short keys show nothing: four characters would be most of them. */
export function endOf(apiKey: string | undefined): string | undefined {
  return apiKey !== undefined && apiKey.length >= 16 ? apiKey.slice(-4) : undefined;
}

/** Host and path of a base URL; user name and query may hold a credential. */
function withoutSecrets(baseUrl: string | undefined): string | undefined {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  return url === null ? undefined : url.origin + url.pathname.replace(/\/$/, "");
}
