import type { ModelListRequest } from "../../api/models.ts";
import { GatewayError } from "../../errors.ts";
import { entryFor, type KeyPermissions } from "../../policy/access.ts";
import type { Provider } from "../../ports/provider.ts";
import { unconfiguredMessage } from "../routing/unconfigured.ts";
import type { Ports } from "../runtime/ports.ts";

/** A virtual key limits which providers are asked; naming one that it forbids is refused. */
export function providersToAsk(
  ports: Ports,
  { provider: requested }: ModelListRequest,
  access: KeyPermissions | undefined,
): Provider[] {
  const { providers } = ports;
  if (requested === undefined || requested === "") {
    return [...providers.values()].filter(({ name, listModels }) => listModels && (!access || entryFor(access, name)));
  }
  const provider = providers.get(requested);
  if (!provider) {
    throw new GatewayError("provider_not_found", unconfiguredMessage(ports, requested), { param: "provider" });
  }
  if (access && !entryFor(access, requested)) {
    const message = `The virtual key does not allow the provider \`${requested}\`.`;
    throw new GatewayError("provider_blocked", message, { param: "provider" });
  }
  if (!provider.listModels) {
    throw new GatewayError("unsupported_operation", `The provider \`${requested}\` does not list its models.`);
  }
  return [provider];
}
