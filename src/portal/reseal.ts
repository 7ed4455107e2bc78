import type { RecordKinds, Records } from "../engine/ports/records.ts";
import type { StoredAlertChannel } from "../operations/records/alerts/alerts.ts";
import type { StoredLocalThing } from "../operations/records/local.ts";
import type { StoredKeyPair } from "../operations/records/objectstore.ts";
import type { StoredTotp } from "../operations/records/passwords.ts";
import type { StoredProviderCredential } from "../operations/records/settings.ts";
import type { StoredTask } from "../operations/records/tasks.ts";
import {
  credentialPlace,
  keyPairPlace,
  localPlace,
  sealedLocalFields,
  stepPlace,
  totpPlace,
  webhookPlace,
  webhookUrlPlace,
} from "./call/sealed-places.ts";
import type { Secrets } from "./call/secrets.ts";

/** What became of the sealed values of a store. */
export interface ResealReport {
  /** Sealed anew with the present secret. */
  readonly sealed: number;
  /** Were so already. */
  readonly current: number;
  /** Can be opened with none of the secrets; they are left as they are. */
  readonly unreadable: number;
}

type Counts = { -readonly [Outcome in keyof ResealReport]: number };

/** Gives what is to be stored of a sealed text in its place. */
type Reseal = (sealed: string, place: string) => string;

/** Every kind with sealed fields, and what a record of it looks like with each of them sealed anew. */
const resealers = {
  keypair: (record: StoredKeyPair, reseal: Reseal): StoredKeyPair => ({
    ...record,
    sealed_secret_key: reseal(record.sealed_secret_key, keyPairPlace(record.id)),
  }),
  totp: (record: StoredTotp, reseal: Reseal): StoredTotp => ({
    ...record,
    sealed_secret: reseal(record.sealed_secret, totpPlace(record.id)),
  }),
  provider_credential: (record: StoredProviderCredential, reseal: Reseal): StoredProviderCredential => ({
    ...record,
    sealed_value: reseal(record.sealed_value, credentialPlace(record.id)),
  }),
  alert_channel: (
    { sealed_secret, sealed_url, ...record }: StoredAlertChannel,
    reseal: Reseal,
  ): StoredAlertChannel => ({
    ...record,
    ...(sealed_secret === undefined ? {} : { sealed_secret: reseal(sealed_secret, webhookPlace(record.id)) }),
    ...(sealed_url === undefined ? {} : { sealed_url: reseal(sealed_url, webhookUrlPlace(record.id)) }),
  }),
  task: (record: StoredTask, reseal: Reseal): StoredTask => ({
    ...record,
    steps: record.steps.map((step) => ({
      ...step,
      sealed_params: reseal(step.sealed_params, stepPlace(record.id, step.id, "params")),
      sealed_response:
        step.sealed_response === null ? null : reseal(step.sealed_response, stepPlace(record.id, step.id, "response")),
    })),
  }),
  local_thing: (record: StoredLocalThing, reseal: Reseal): StoredLocalThing => {
    const fields = sealedLocalFields.flatMap((field) => {
      const text = record.body[field];
      return typeof text === "string" ? [[field, reseal(text, localPlace(record.id, field))]] : [];
    });
    return fields.length === 0 ? record : { ...record, body: { ...record.body, ...Object.fromEntries(fields) } };
  },
} as const;

type SealedKind = keyof typeof resealers;

/**
 * Seals every secret of a store anew that is not sealed with the present secret in the present form. Each record is one change, and what
 * is current is left alone, so that it may be interrupted anywhere and run again, also while gateways work on the store: a record that
 * one of them has changed meanwhile is read again.
 */
export async function resealStore(records: Records, secrets: Secrets): Promise<ResealReport> {
  const counts: Counts = { sealed: 0, current: 0, unreadable: 0 };
  for (const kind of Object.keys(resealers) as SealedKind[]) await resealKind(records, kind, { secrets, counts });
  return counts;
}

interface Resealing {
  readonly secrets: Secrets;
  readonly counts: Counts;
}

async function resealKind(records: Records, kind: SealedKind, resealing: Resealing): Promise<void> {
  for (let after: string | undefined; ; ) {
    const page = await records.list(kind, { limit: 1_000, after });
    for (const { record } of page.records) await resealRecord(records, { kind, id: record.id }, resealing);
    if (page.next === undefined) return;
    after = page.next;
  }
}

async function resealRecord(
  records: Records,
  { kind, id }: { readonly kind: SealedKind; readonly id: string },
  { secrets, counts }: Resealing,
): Promise<void> {
  const make = resealers[kind] as (record: RecordKinds[SealedKind], reseal: Reseal) => RecordKinds[SealedKind]; // seam: of its kind
  for (;;) {
    const stored = await records.get(kind, id);
    if (stored === undefined) return; // removed meanwhile
    const found: Counts = { sealed: 0, current: 0, unreadable: 0 };
    const changed = make(stored.record, (sealed, place) => resealOne(secrets, { sealed, place }, found));
    if (found.sealed > 0 && (await records.put(kind, changed, stored.version)).kind === "moved") continue;
    for (const outcome of Object.keys(found) as (keyof Counts)[]) counts[outcome] += found[outcome];
    return;
  }
}

function resealOne(
  secrets: Secrets,
  { sealed, place }: { readonly sealed: string; readonly place: string },
  found: Counts,
): string {
  const plain = secrets.tryOpen(sealed, place);
  const outcome = plain === undefined ? "unreadable" : secrets.isCurrent(sealed) ? "current" : "sealed";
  found[outcome]++;
  return plain === undefined || outcome === "current" ? sealed : secrets.seal(plain, place);
}
