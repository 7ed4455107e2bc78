import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import type { VendorFault } from "../http/fault.ts";
import { violatedField } from "../http/fault-details.ts";

/** Reads `{ error: { code, message, status, details } }`, which streams may send inside a list; `retryDelay` says when to ask again. */
export function readGeminiFault(body: unknown): VendorFault | undefined {
  const holder: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(holder) || !isRecord(holder.error)) return undefined;
  const { code, message, status, details } = holder.error;
  return {
    type: typeof status === "string" ? status : undefined,
    code: typeof code === "number" || typeof code === "string" ? String(code) : undefined,
    message: typeof message === "string" ? message : undefined,
    param: violatedField(details),
    retryAfterMs: retryDelay(details),
  };
}

/** The delay of a `google.rpc.RetryInfo`, e.g. `"17.5s"`, in milliseconds. */
function retryDelay(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  const delays = details.map((detail) =>
    isRecord(detail) ? Number.parseFloat(String(detail.retryDelay)) : Number.NaN,
  );
  const seconds = delays.find((delay) => delay >= 0);
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000);
}
