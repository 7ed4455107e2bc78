import { hash } from "node:crypto";
import { GatewayError } from "../../engine/errors.ts";
import type { Entropy } from "../../engine/ports/clock.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { StoredTotp } from "../../operations/records/passwords.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import { totpPlace } from "../call/sealed-places.ts";
import type { Secrets } from "../call/secrets.ts";
import { change } from "../tenancy/record-access.ts";
import { toBase32 } from "./base32.ts";
import { findStep, otpAuthUri } from "./totp-code.ts";
import { recentTries, refuseTries } from "./tries.ts";

/** What one-time codes are kept with. The records are those of all tenants. */
export interface TotpDeps {
  readonly records: Records;
  readonly entropy: Entropy;
  readonly secrets: Secrets;
}

const [secretBytes, recoveryBytes, recoveryCount] = [20, 10, 10];

/** Returns a new secret of a user, not confirmed yet, and what is shown of it this once. */
export function enrolTotp({ entropy, secrets }: TotpDeps, user: StoredUser, now: number) {
  const { id, reseller, client_id, username } = user;
  const secret = toBase32(entropy(secretBytes));
  const record: StoredTotp = {
    ...{ id, user_id: id, reseller, client_id, created_at: new Date(now).toISOString() },
    ...{ sealed_secret: secrets.seal(secret, totpPlace(id)), confirmed_at: null },
    ...{ last_step: 0, recovery: [], tries: [] },
  };
  return { record, shown: { secret, otpauth_uri: otpAuthUri({ secret, username }) } };
}

/** Returns new recovery codes, of 80 bits each, and what is stored of them. */
export function makeRecoveryCodes({ entropy }: TotpDeps): { readonly codes: string[]; readonly hashes: string[] } {
  const codes = Array.from({ length: recoveryCount }, () => toBase32(entropy(recoveryBytes)).toLowerCase());
  return { codes: codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-")), hashes: codes.map(hashRecovery) };
}

function hashRecovery(code: string): string {
  return hash("sha256", code, "hex");
}

/** Returns the one-time codes of a user. Throws `conflict` where there are none. */
export async function readTotp(records: Records, id: string): Promise<StoredTotp> {
  const stored = await records.get("totp", id);
  if (!stored) throw new GatewayError("conflict", `The user \`${id}\` has no one-time codes.`);
  return stored.record;
}

/** A code and when it came, in milliseconds since the epoch. */
interface SentOtp {
  readonly otp: string;
  readonly now: number;
}

/**
 * Uses up a code of a user: one of an app, or a recovery code. A code is taken once, also of two that come at the same time. The try is
 * written to the store at once. Returns false for a wrong one; throws `request_limited` after too many tries, and `not_found` without a
 * secret.
 */
export async function useCode({ records, secrets }: TotpDeps, id: string, { otp, now }: SentOtp): Promise<boolean> {
  const sent = otp.replaceAll(/[\s-]/g, "").toLowerCase();
  let isRight = false;
  await change(records, "totp", {
    id,
    by: (present) => {
      refuseTries(present.tries, now);
      const secret = secrets.open(present.sealed_secret, totpPlace(id));
      const step = findStep(secret, { code: sent, now, last: present.last_step });
      const recovery = present.recovery.filter((one) => one !== hashRecovery(sent));
      isRight = step !== undefined || recovery.length < present.recovery.length;
      if (!isRight) return { ...present, tries: [...recentTries(present.tries, now), now] };
      return { ...present, last_step: step ?? present.last_step, recovery, tries: [] };
    },
  });
  return isRight;
}

/** Returns the error for a code that is missing or wrong. */
export function refusedCode(problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`otp\`: ${problem}.`, { param: "otp" });
}
