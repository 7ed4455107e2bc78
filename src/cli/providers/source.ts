import { GatewayError, isGatewayError } from "../../errors.ts";
import type { Provider } from "../../ports.ts";
import type { Kind, Settings } from "./kinds.ts";

/** A provider, and where it was found. */
export interface Source {
  readonly name: string;
  /** The name of its kind, which sells at its prices; `undefined` for a server of one's own and for an object. */
  readonly vendor: string | undefined;
  /** For people: `OPENAI_API_KEY`, `tollgate.config.yaml`, `answers on port 11434`. */
  readonly from: string;
  /** The base URL without what may be secret in it; `undefined` when it has none, or nobody knows it. */
  readonly address: string | undefined;
  /** The last four characters of the key, when there is one that is long enough to show any. */
  readonly keyEnd: string | undefined;
  /** How many keys it has; `undefined` for an object that says nothing of them. */
  readonly keys: number | undefined;
  /** What must not be seen anywhere. */
  readonly secrets: readonly string[];
  readonly provider: Provider;
}

/** A provider that is to be made. */
export interface Order {
  readonly name: string;
  readonly vendor: string | undefined;
  readonly from: string;
  readonly kind: Kind;
  readonly settings: Settings;
}

/** Makes the provider; throws `invalid_configuration` naming the field of `providers` that is wrong. */
export async function makeSource({ name, vendor, from, kind, settings }: Order): Promise<Source> {
  const { apiKey, credentials = [], baseUrl = kind.baseUrl, headers = {} } = settings;
  const provider = await kind.make(name, settings).catch((thrown: unknown) => {
    if (!isGatewayError(thrown) || thrown.code !== "invalid_configuration") throw thrown;
    const param = ["providers", name, ...(thrown.param === undefined ? [] : [thrown.param])].join(".");
    throw new GatewayError("invalid_configuration", `${from}: ${thrown.message}`, { param });
  });
  const keys = [...(apiKey === undefined ? [] : [apiKey]), ...credentials.map((each) => each.apiKey)];
  const secrets = [...keys, ...Object.values(headers).map(withoutScheme)].filter((secret) => secret.length >= 6);
  const shown = { address: withoutSecrets(baseUrl), keyEnd: endOf(apiKey), keys: keys.length };
  return { name, vendor, from, ...shown, secrets, provider };
}

function withoutScheme(value: string): string {
  return value.replace(/^(Bearer|Basic|Key|Token)\s+/i, "").trim();
}

/** Short keys show nothing: four characters would be most of them. */
function endOf(apiKey: string | undefined): string | undefined {
  return apiKey !== undefined && apiKey.length >= 16 ? apiKey.slice(-4) : undefined;
}

/** Host and path of a base URL; user name and query may hold a credential. */
function withoutSecrets(baseUrl: string | undefined): string | undefined {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  return url === null ? undefined : url.origin + url.pathname.replace(/\/$/, "");
}
