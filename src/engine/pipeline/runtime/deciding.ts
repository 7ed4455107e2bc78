import type { DecisionRequest } from "../../api/decisions.ts";
import type { Provider } from "../../ports/provider.ts";
import type { DecisionSupport } from "./decisions/support.ts";

/** A request for decisions at a model. */
interface AskedDecider {
  readonly request: Pick<DecisionRequest, "method">;
  /** The provider's own name of the model. */
  readonly model: string;
  /** `provider/model`. */
  readonly target: string;
  readonly deciders: DecisionSupport;
}

/** True where a model is asked by its vendor's interface for decisions: the request insists, or the model is known to decide. */
export function decidesNatively(
  { decide, decides, chat }: Provider,
  { request, model, target, deciders }: AskedDecider,
): boolean {
  if (!decide) return false;
  if (!chat) return true;
  if (request.method !== undefined) return request.method === "native";
  return (decides?.(model) ?? true) && !deciders.lacksNative(target);
}
