import { toGatewayError } from "../../engine/errors.ts";
import type { Provider } from "../../engine/ports/provider.ts";
import type { CredentialTest, ProviderCredential } from "../../portal/credentials/credential-source.ts";
import type { OutgoingNetwork } from "./network.ts";
import { addCredentials, type ProviderParts } from "./portal-credentials.ts";
import { makeSource, type ProviderOrder } from "./source.ts";

const longestMs = 15_000;
const timeouts = { connect: 5_000, firstContent: longestMs, gap: longestMs, whole: longestMs };

/** What a credential is tested in. */
interface TestBed {
  readonly parts: ProviderParts;
  readonly network: OutgoingNetwork;
  readonly now: () => number;
}

/** Asks the vendor for its models with one credential, by a provider that has no other. Throws `invalid_configuration` for one that cannot be used. */
export async function testCredential(
  { parts, network, now }: TestBed,
  credential: ProviderCredential,
): Promise<CredentialTest> {
  const orders = addCredentials(parts, [credential]);
  const order = orders.find(({ name }) => name === credential.provider) as ProviderOrder; // it was added, or is there
  const own = order.settings.credentials?.filter(({ id }) => id === credential.name) ?? [];
  const { provider } = await makeSource({ ...order, settings: { ...order.settings, credentials: own } }, network);
  try {
    return await listModels(provider, credential.name, now());
  } finally {
    await provider.close?.();
  }
}

async function listModels(provider: Provider, credential: string, startedAt: number): Promise<CredentialTest> {
  if (!provider.listModels) return { outcome: "untestable", message: `${provider.name} lists no models.` };
  const signal = AbortSignal.timeout(longestMs);
  try {
    const call = {
      id: "credential-test",
      model: "",
      credential,
      startedAt,
      signal,
      timeouts,
      raw: undefined,
      warn() {},
    };
    const models = await provider.listModels(call);
    return { outcome: "valid", models: models.length };
  } catch (thrown) {
    const { code, message, upstream } = toGatewayError(thrown);
    const isRefused = code === "upstream_credentials_exhausted" || [401, 402, 403].includes(upstream?.status ?? 0);
    return { outcome: isRefused ? "refused" : "failed", message };
  }
}
