import { present } from "../../../engine/policy/drafts.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiProviderCredential } from "../../../operations/portal/tenancy/ai/credentials.ts";
import type { StoredProviderCredential } from "../../../operations/records/settings.ts";
import type { PortalDeps } from "../../area.ts";
import { type PortalCall, scopeAt } from "../../call/call.ts";
import { credentialPlace } from "../../call/sealed-places.ts";
import type { Secrets } from "../../call/secrets.ts";
import type { ConfiguredCredential } from "../../credentials/credential-source.ts";
import { asInvalidRequest } from "../../credentials/provider-credentials.ts";
import type { AreaBackend } from "../../regions.ts";
import { add, change, read, readAll, remove } from "../../tenancy/record-access.ts";
import { depthOf } from "../../tenancy/tenant-scope.ts";
import { refuseTenants } from "../costs/provider-only.ts";

type AddInput = InputOf<Areas["ai"]["addCredential"]>;
type ChangeInput = InputOf<Areas["ai"]["changeCredential"]>;

/** Shorter values show no end: four characters would be most of them. */
const leastShown = 16;

/**
 * The credentials of vendors that are set in the portal. A change is checked and used in this process before it is stored, so that what
 * cannot be used is refused; other processes follow within seconds, and this one follows the store where storing it failed. Tenants see
 * none of them.
 */
export function credentialsOf(deps: PortalDeps) {
  const { credentials } = deps;
  return {
    async credentials(_input, call) {
      if (depthOf(call.caller.scope) > 0) return [];
      const configured = credentials.source.list().map(showConfigured);
      const stored = await readAll(call.records, "provider_credential");
      return [...configured, ...stored.map((each) => showCredential(each, call.secrets))];
    },
    async addCredential(input, call) {
      refuseTenants(call, "The credentials of vendors belong to the provider.");
      const added = draft(deps, input, call);
      await takeWith(deps, call, { changed: [added] });
      await add(call.records, "provider_credential", added);
      return showCredential(added, call.secrets);
    },
    async changeCredential({ credential_id: id, ...input }, call) {
      const changed = applyChange(await read(call.records, "provider_credential", id), input, call);
      await takeWith(deps, call, { changed: [changed] });
      await change(call.records, "provider_credential", { id, by: (stored) => applyChange(stored, input, call) });
      return showCredential(changed, call.secrets);
    },
    async testCredential({ credential_id: id }, call) {
      const stored = await read(call.records, "provider_credential", id);
      const value = call.secrets.open(stored.sealed_value, credentialPlace(id));
      const { provider, kind, base_url, name } = stored;
      return credentials.source.test({ provider, kind, base_url, name, value }).catch((thrown) => {
        throw asInvalidRequest(thrown);
      });
    },
    async removeCredential({ credential_id: id }, call) {
      await read(call.records, "provider_credential", id);
      await takeWith(deps, call, { removed: id });
      await remove(call.records, "provider_credential", id);
    },
  } satisfies AreaBackend<"ai">;
}

interface CredentialChange {
  readonly changed?: readonly StoredProviderCredential[];
  /** The id of one that is no more. */
  readonly removed?: string;
}

/** Has the engine use the stored credentials with some replaced or added, or one removed. */
async function takeWith(
  { credentials }: PortalDeps,
  call: PortalCall,
  { changed = [], removed }: CredentialChange,
): Promise<void> {
  void credentials.source; // throws where the portal has none
  const ids = new Set([...changed.map(({ id }) => id), removed]);
  const others = (await readAll(call.records, "provider_credential")).filter(({ id }) => !ids.has(id));
  await credentials.take([...others, ...changed]);
}

function draft({ newId }: PortalDeps, input: AddInput, call: PortalCall): StoredProviderCredential {
  const { value, provider, name, ...rest } = input;
  const id = newId("cred");
  const { caller, now } = call;
  return {
    ...{ id, created_at: new Date(now).toISOString(), ...scopeAt(caller.scope), provider, name, enabled: true },
    ...present(rest),
    ...sealed(id, value, call),
  };
}

function sealed(id: string, value: string, { secrets, caller, now }: PortalCall) {
  const trimmed = value.trim();
  return {
    sealed_value: secrets.seal(trimmed, credentialPlace(id)),
    ...(trimmed.length >= leastShown ? { key_end: trimmed.slice(-4) } : {}),
    set_at: new Date(now).toISOString(),
    set_by: caller.user.id,
  };
}

function applyChange(
  stored: StoredProviderCredential,
  { value, enabled = stored.enabled, ...settings }: Omit<ChangeInput, "credential_id">,
  call: PortalCall,
): StoredProviderCredential {
  const { key_end, ...others } = stored;
  const renewed = value === undefined ? present({ key_end }) : sealed(stored.id, value, call);
  const changes = Object.entries(settings).filter(([, each]) => each !== undefined);
  const merged = { ...others, ...Object.fromEntries(changes), ...renewed, enabled };
  const left = Object.entries(merged).filter(([, each]) => each !== null);
  return { ...Object.fromEntries(left), ...scopeOf(stored) } as StoredProviderCredential; // seam: optional fields were left out
}

/** The levels of a record, which are null above its own. */
function scopeOf({ reseller, client_id, user_id = null }: StoredProviderCredential) {
  return { reseller, client_id, user_id };
}

/** Returns a credential of the configuration as lists show it. */
function showConfigured({ provider, name, key_end }: ConfiguredCredential): AiProviderCredential {
  return { provider, name, source: "configuration", enabled: true, is_readable: true, ...present({ key_end }) };
}

/** Returns a credential of the portal as lists show it. */
function showCredential(stored: StoredProviderCredential, secrets: Secrets): AiProviderCredential {
  const { id, provider, name, enabled, kind, base_url, key_end, weight, models, blocked_models } = stored;
  const { created_at, set_at, set_by } = stored;
  const is_readable = secrets.tryOpen(stored.sealed_value, credentialPlace(id)) !== undefined;
  return {
    ...{ id, provider, name, source: "portal", enabled, is_readable },
    ...present({ kind, base_url, key_end, weight }),
    ...present({ models: models && [...models], blocked_models: blocked_models && [...blocked_models] }),
    ...{ created_at, set_at, set_by },
  };
}
