import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";

/** The count under `name` of an answer; throws `upstream_invalid_response` when there is none. */
export function readCount(answer: unknown, name: string, provider: string): number {
  const count = isRecord(answer) ? answer[name] : undefined;
  if (Number.isSafeInteger(count) && (count as number) >= 0) return count as number;
  throw new GatewayError("upstream_invalid_response", `The answer of ${provider} holds no count of tokens.`, {
    provider,
  });
}
