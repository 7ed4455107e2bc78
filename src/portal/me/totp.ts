import { GatewayError } from "../../engine/errors.ts";
import type { PortalDeps } from "../area.ts";
import { enrolTotp, makeRecoveryCodes, readTotp, refusedCode, useCode } from "../passwords/totp.ts";
import type { AreaBackend } from "../regions.ts";
import { change, read, remove, write } from "../tenancy/record-access.ts";

/** The caller's one-time codes. */
export function ownTotp(deps: PortalDeps) {
  return {
    async enrolTotp(_input, call) {
      const user = await read(call.records, "user", call.caller.user.id);
      if ((await call.records.get("totp", user.id))?.record.confirmed_at) throw present();
      const { record, shown } = enrolTotp(deps, user, call.now);
      await write(call.records, "totp", { id: user.id, by: () => record });
      return shown;
    },
    async confirmTotp({ otp }, call) {
      const { id } = call.caller.user;
      if ((await readTotp(call.records, id)).confirmed_at) throw present();
      if (!(await useCode(deps, id, { otp, now: call.now }))) throw refusedCode("is wrong");
      const { codes, hashes } = makeRecoveryCodes(deps);
      const confirmed_at = new Date(call.now).toISOString();
      await change(call.records, "totp", { id, by: (at) => ({ ...at, confirmed_at, recovery: hashes }) });
      return { recovery_codes: codes };
    },
    async disableTotp({ otp }, call) {
      const { id } = call.caller.user;
      await readTotp(call.records, id);
      if (!(await useCode(deps, id, { otp, now: call.now }))) throw refusedCode("is wrong");
      await remove(call.records, "totp", id);
    },
  } satisfies Partial<AreaBackend<"me">>;
}

function present(): GatewayError {
  return new GatewayError("conflict", "One-time codes are in use already: disable them with a code first.");
}
