import { GatewayError } from "../../engine/errors.ts";
import type { SettledBounds } from "./bounds.ts";

/** The error of a compressed body that unpacks to more. */
export function unpacksTooFar(bounds: SettledBounds, limit: number): GatewayError {
  if (limit === bounds.bodyLimit) return tooLarge(limit);
  const message = `The body unpacks to more than ${bounds.unpackRatio} times its size (\`unpackRatio\`).`;
  return new GatewayError("request_too_large", message);
}

/** The error of a body over the limit. */
export function tooLarge(limit: number): GatewayError {
  return new GatewayError("request_too_large", `The body is larger than ${limit} bytes (\`bodyLimit\`).`);
}

/** The error of a body with more values. */
export function tooManyValues({ values }: SettledBounds): GatewayError {
  return new GatewayError("request_too_large", `The body holds more than ${values} JSON values (\`values\`).`);
}

/** The error of a body that did not arrive in time. */
export function tooSlow({ arrivalMs }: SettledBounds): GatewayError {
  const message = `The body did not arrive within ${arrivalMs} ms (\`arrivalMs\`).`;
  return new GatewayError("request_timeout", message);
}

/** The error of a body of another type, or in another encoding. */
export function refuseMedia(what: string, instead = "`application/json`"): GatewayError {
  return new GatewayError("unsupported_media_type", `${what} is not accepted; send ${instead}.`);
}

/** The error of a body that is none. */
export function unreadable(problem: string, cause?: unknown): GatewayError {
  return new GatewayError("invalid_request", `The body ${problem}.`, { cause });
}
