import { isRecord } from "../../../shared/http/fault.ts";

/** What an error body says: what kind of fault, in the service's own word, and its message. */
export interface FaultShape {
  readonly kind?: string | undefined;
  readonly message?: string | undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** `{ error: { code, message, title } }`; a 405 is `{ message }` only. The token check in front of every service answers a 401 like this. */
export function readKeystone(body: unknown): FaultShape | undefined {
  if (!isRecord(body)) return undefined;
  const { error, message } = body;
  if (isRecord(error)) return { kind: text(error.title), message: text(error.message) };
  return text(message) === undefined ? undefined : { message: text(message) };
}

/** Nova and Cinder: `{ itemNotFound: { code, message } }`, the only key names the fault. */
export function readNamed(body: unknown): FaultShape | undefined {
  if (!isRecord(body)) return undefined;
  const [entry] = Object.entries(body);
  if (entry === undefined || entry[0] === "error" || !isRecord(entry[1])) return readKeystone(body);
  return { kind: entry[0], message: text(entry[1].message) };
}

/** `{ NeutronError: { type, message, detail } }`; the fault is often a bare text where the API server itself refuses. */
export function readNeutron(body: unknown): FaultShape | undefined {
  if (!isRecord(body)) return undefined;
  const { NeutronError: fault } = body;
  if (isRecord(fault)) return { kind: text(fault.type), message: text(fault.message) };
  return text(fault) === undefined ? readKeystone(body) : { message: text(fault) };
}

/** `{ faultcode, faultstring, debuginfo }`. */
export function readOctavia(body: unknown): FaultShape | undefined {
  if (!isRecord(body) || text(body.faultstring) === undefined) return readKeystone(body);
  return { kind: text(body.faultcode), message: text(body.faultstring) };
}

/** `{ code, type, message, request_id }`; a 403 has no message. */
export function readDesignate(body: unknown): FaultShape | undefined {
  if (!isRecord(body) || text(body.type) === undefined) return readKeystone(body);
  return { kind: text(body.type), message: text(body.message) };
}

/** `{ message, code: "404 Not Found", title }`, where the message ends in line breaks of HTML. */
export function readGlance(body: unknown): FaultShape | undefined {
  if (!isRecord(body) || text(body.message) === undefined) return readKeystone(body);
  return { kind: text(body.title), message: text(String(body.message).replaceAll(/<br\s*\/?>/g, "")) };
}
