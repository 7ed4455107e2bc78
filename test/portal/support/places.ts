import { isGatewayError } from "../../../src/engine/errors.ts";
import { operator } from "../../../src/portal/call/operator.ts";
import type { Portal } from "../../../src/portal/portal.ts";

/** A place in the tree of tenants; empty for the provider's. */
interface Place {
  readonly reseller?: string | undefined;
  readonly client_id?: string | undefined;
}

/** Creates the tenants that places lie in, where they are not there yet. */
export async function makePlaces(portal: Pick<Portal, "as">, ...places: readonly Place[]): Promise<void> {
  const { tenants } = portal.as(operator, { region: "eu-1" });
  for (const { reseller, client_id } of places) {
    if (reseller === undefined) continue;
    for (const tenant of client_id === undefined ? [{ reseller }] : [{ reseller }, { reseller, client_id }])
      await tenants.create(tenant).catch((thrown: unknown) => {
        if (!isGatewayError(thrown) || thrown.code !== "conflict") throw thrown;
      });
  }
}
