import { type ModelName, parseModelName } from "../../routing/model-name.ts";
import type { Objection } from "../../routing/plan.ts";
import type { Accounting } from "../runtime/ports.ts";

/** A request that may be for vectors. */
interface AskedVectors {
  /** The provider's method that will be called. */
  readonly method: string;
  readonly request: { readonly allow_other_model?: boolean | undefined };
}

/**
 * The objection to embedding models that are not the asked one, whichever provider has them: vectors of different models have nothing
 * to do with each other, and what compares them would never notice. None where the request allows it, and for every other verb.
 */
export function otherVectors(
  { identify }: Accounting,
  { method, request }: AskedVectors,
  model: string,
): (name: ModelName) => Objection | undefined {
  const requested = method === "embed" && !request.allow_other_model ? readName(model) : undefined;
  if (!requested) return () => undefined;
  const meant = identify(requested);
  return (name) => {
    const identity = identify(name);
    if (identity.undated === meant.undated || plainName(name.model) === plainName(requested.model)) return undefined;
    const message = `Vectors of \`${name.provider}/${name.model}\` cannot be compared with those of \`${model}\`; \`allow_other_model\` allows them.`;
    return { reason: "unsupported_operation", message };
  };
}

/** A model without a provider is anybody's. */
function readName(model: string): ModelName | undefined {
  return parseModelName(model) ?? { provider: "", model };
}

/** The name behind the vendor's own prefix of it: `BAAI/bge-m3` and `@cf/baai/bge-m3` are one model. */
function plainName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}
