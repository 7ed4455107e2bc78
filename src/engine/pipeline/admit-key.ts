import type { RequestType } from "../api/common.ts";
import type { KeyPermissions } from "../policy/access.ts";
import { refuseCaller } from "../policy/decide.ts";
import { toRefusalError } from "../policy/refusal.ts";
import type { MaybePromise } from "../runtime/maybe-promise.ts";
import { settleFailure } from "./accounting/settle.ts";
import { findKey } from "./call/authenticate.ts";
import { openCall } from "./call/call.ts";
import type { CallOptions } from "./call/options.ts";
import type { Ports } from "./runtime/ports.ts";

/**
 * Throws the refusal that a call with this key would get, before there is a request. Synchronous where the key is cached: every request
 * over HTTP waits for it. With a `requestType` a refused request is settled like any other: it has its events, and its ledger entry where
 * its key is known.
 */
export function admitKey(ports: Ports, options: CallOptions, requestType: RequestType | undefined): MaybePromise<void> {
  const now = ports.clock.now();
  const judge = (access: KeyPermissions | undefined): MaybePromise<void> => {
    const { isKeyRequired } = ports.accounting;
    const refusal = refuseCaller({ hasKey: options.key !== undefined, access, isKeyRequired, now });
    if (!refusal) return undefined;
    const error = toRefusalError(refusal);
    if (requestType === undefined) throw error;
    const call = openCall(ports, requestType, { input: undefined, options });
    call.access = access;
    return settleFailure(call, error).then((settled) => {
      throw settled;
    });
  };
  const found = options.key === undefined ? undefined : findKey(ports, options.key, now);
  return found instanceof Promise ? found.then(judge) : judge(found);
}
