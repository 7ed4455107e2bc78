import type { PortalDeps } from "../../area.ts";
import { webhookPlace } from "../../call/sealed-places.ts";

/** The signing secret of a webhook, as it is shown once, and as it is stored. */
interface SigningSecret {
  readonly shown: { readonly secret?: string };
  readonly sealed: { readonly sealed_secret?: string };
}

/** Of a channel without one, or whose secret stays as it is. */
export const noSecret: SigningSecret = { shown: {}, sealed: {} };

/** Makes the signing secret of a channel. Throws `not_implemented` where the portal has no secret to seal it with. */
export function makeSecret(
  { entropy, secrets }: Pick<PortalDeps, "entropy" | "secrets">,
  channelId: string,
): SigningSecret {
  const secret = `whsec_${Buffer.from(entropy(32)).toString("base64url")}`;
  return { shown: { secret }, sealed: { sealed_secret: secrets.seal(secret, webhookPlace(channelId)) } };
}
