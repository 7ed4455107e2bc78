import { GatewayError } from "../../../engine/errors.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { notFoundAs, readKeyProject } from "../find.ts";
import { createKey } from "../keys/create-key.ts";

/** Who pays: exactly one of both. */
interface Account {
  readonly project_id: string | undefined;
  readonly key_id: string | undefined;
}

/** The name of a project's key for chats of the console. It is shown, limited and disabled like any other key. */
const keyName = "Playground";

/** Returns the id of the virtual key that pays: the named one, or the project's own for the console, which its first chat makes. */
export async function accountOf(deps: PortalDeps, { project_id, key_id }: Account, call: PortalCall): Promise<string> {
  if ((project_id === undefined) === (key_id === undefined))
    throw new GatewayError("invalid_request", "Name one of `project_id` and `key_id`: it pays.", {
      param: key_id === undefined ? "project_id" : "key_id",
    });
  if (project_id !== undefined) return keyOfProject(deps, project_id, call);
  if (key_id === undefined || !(await call.records.get("key", key_id)))
    throw notFoundAs("key", { id: key_id ?? "", param: "key_id" });
  return key_id;
}

async function keyOfProject(deps: PortalDeps, id: string, call: PortalCall): Promise<string> {
  const { metadata } = await readKeyProject(deps, call, { id, param: "project_id" });
  return call.withLease(`playground ${id}`, async () => {
    const keys = await readAll(call.records, "key", { project_id: id });
    const own = keys.find(({ name }) => name === keyName);
    if (own) return own.id;
    const tier = metadata?.tier ?? "standard";
    const draft = { name: keyName, description: "Chats in the console", tier, user_bound: false, project_id: id };
    return (await createKey(deps, draft, call)).id; // its value is nobody's
  });
}
