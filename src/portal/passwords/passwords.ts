import type { Entropy } from "../../engine/ports/clock.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { StoredPassword } from "../../operations/records/passwords.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import type { PortalCall } from "../call/call.ts";
import { hashUsername } from "../identity/user-scope.ts";
import { change, write } from "../tenancy/record-access.ts";
import { createPasswordDigest, isSameDigest } from "./digest.ts";
import { recentTries, refuseTries } from "./tries.ts";

/** The passwords of users. */
export interface Passwords {
  /** Returns the user with that name and password; undefined for any other. Throws `request_limited` after too many tries. */
  find(username: string, password: string, now: number): Promise<StoredUser | undefined>;
  /** True for the password of a user that has one. Throws `request_limited` after too many tries. */
  verify(user: Pick<StoredUser, "id">, password: string, now: number): Promise<boolean>;
  /** Sets the password of a user. */
  set(user: StoredUser, password: string, call: Pick<PortalCall, "records" | "now">): Promise<void>;
}

/** What passwords are kept with. The records are those of all tenants. */
interface PasswordDeps {
  readonly records: Records;
  readonly entropy: Entropy;
}

const saltBytes = 16;

/** Digested where there is no such user, so that the time of an answer does not depend on it. */
const otherSalt = new Uint8Array(saltBytes);

/** Returns the passwords in a store. */
export function createPasswords({ records, entropy }: PasswordDeps): Passwords {
  const digest = createPasswordDigest();
  const verify = async (id: string, password: string, now: number) => {
    const { salt, digest: wanted } = await countTry(records, id, now); // before the digest: tries at the same time count too
    const digested = await digest(password, Buffer.from(salt, "base64"));
    if (!isSameDigest(digested, Buffer.from(wanted, "base64"))) return false;
    await change(records, "password", { id, by: (present) => ({ ...present, tries: [] }) });
    return true;
  };
  return {
    verify: ({ id }, password, now) => verify(id, password, now),
    async find(username, password, now) {
      const user = (await records.findByHash("user", hashUsername(username)))?.record;
      const stored = user && (await records.get("password", user.id));
      if (!user || !stored) {
        await digest(password, otherSalt);
        return undefined;
      }
      return (await verify(user.id, password, now)) ? user : undefined;
    },
    async set({ id, reseller, client_id }, password, call) {
      const salt = entropy(saltBytes);
      const digested = await digest(password, salt);
      const own = { salt: Buffer.from(salt).toString("base64"), digest: digested.toString("base64"), tries: [] };
      const created_at = new Date(call.now).toISOString();
      const record: StoredPassword = { id, user_id: id, reseller, client_id, created_at, ...own };
      await write(call.records, "password", { id, by: () => record });
    },
  };
}

function countTry(records: Records, id: string, now: number): Promise<StoredPassword> {
  return change(records, "password", {
    id,
    by: (present) => {
      refuseTries(present.tries, now);
      return { ...present, tries: [...recentTries(present.tries, now), now] };
    },
  });
}
