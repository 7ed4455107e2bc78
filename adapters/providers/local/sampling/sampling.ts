import { GatewayError } from "../../../../src/engine/errors.ts";

/** A JSON Schema that is an object; its keywords are the caller's and may hold anything. */
export type SampledSchema = Readonly<Record<string, unknown>>;

/** A walk through a schema. */
export interface SchemaWalk {
  readonly root: unknown;
  /** What texts are made of. */
  readonly words: string;
  /** Keywords that the value may break, as dotted paths. */
  readonly missed: Set<string>;
  /** References that the walk is inside of: a minimal value never goes through one twice. */
  readonly open: Set<string>;
  /** Schemas that may still be visited. */
  budget: number;
}

/** Notes that a keyword is not honoured. */
export function unsupported({ missed }: SchemaWalk, path: string, keyword: string): void {
  missed.add(path === "" ? keyword : `${path}.${keyword}`);
}

/** Counts a step of the walk; throws `invalid_request` when a schema expands beyond any caller's intent. */
export function enter(sampling: SchemaWalk): void {
  sampling.budget -= 1;
  if (sampling.budget < 0)
    throw new GatewayError("invalid_request", "A JSON schema of the request is too large for an echo.");
}

/** True for a JSON object. */
export function isObject(value: unknown): value is SampledSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
