import { type StoredReference, withRequestIds } from "../../dialects/openai/stored-ids.ts";
import { GatewayError } from "../../errors.ts";
import type { Call } from "../call/call.ts";
import type { OwnedIds } from "../call/owned-ids.ts";
import { withinDeadline } from "../call/within-deadline.ts";
import type { HeldId, Holder, IdSeal } from "../runtime/held/id-seal.ts";

/** The ids of the key that a call is made with; `undefined` for the trusted caller, whose ids are the vendors' own. */
export async function ownedIdsOf({ access, ports }: Call): Promise<OwnedIds | undefined> {
  const { sealOfIds } = ports.accounting;
  if (!access || !sealOfIds) return undefined;
  return ownedIds(await sealOfIds(), access.keyId);
}

function ownedIds(seal: IdSeal, owner: string): OwnedIds {
  return { seal: (id, holder) => seal.seal({ ...holder, id }, owner), open: (id) => seal.open(id, owner) };
}

/**
 * Reads the ids of a Responses request: `call.ids` then has the request for the vendor, and who holds what it refers to. Throws `not_found`
 * for what the key does not own, whether it exists or not, and `invalid_request` where two vendors, or two credentials, hold it together.
 */
export async function openCallIds(call: Call): Promise<void> {
  const { responses } = call.options;
  const owned = responses && (await withinDeadline(call, ownedIdsOf(call)));
  if (!owned) return;
  const sent = new Map<string, string>();
  let first: { readonly holder: Holder; readonly reference: StoredReference } | undefined;
  const note = (id: string, held: HeldId): string => {
    sent.set(held.id, id);
    return held.id;
  };
  const refer = (reference: StoredReference): string => {
    const held = owned.open(reference.id);
    if (!held) throw notFound(reference);
    first ??= { holder: held, reference };
    if (!isSameHolder(first.holder, held)) throw heldApart(reference);
    return note(reference.id, held);
  };
  const replace = (id: string): string => {
    const held = owned.open(id);
    return held ? note(id, held) : id;
  };
  const body = withRequestIds(responses.body, { refer, replace });
  call.ids = {
    ...owned,
    responses: { ...responses, body },
    holder: first?.holder,
    reference: first?.reference,
    sent,
  };
}

function isSameHolder(one: Holder, other: Holder): boolean {
  return one.provider === other.provider && one.credential === other.credential;
}

/** The answer for what the caller does not own: the vendor's for what it does not know. */
export function notFound({ what, id, param }: Omit<StoredReference, "param"> & { readonly param?: string }) {
  return new GatewayError("not_found", `${what} with id '${id}' not found.`, param === undefined ? {} : { param });
}

function heldApart({ param, id }: StoredReference): GatewayError {
  const message = `\`${param}\`: '${id}' is held by another vendor or credential than what the request refers to before.`;
  return new GatewayError("invalid_request", message, { param });
}
