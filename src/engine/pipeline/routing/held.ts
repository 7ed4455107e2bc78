import { GatewayError } from "../../errors.ts";
import { entryFor } from "../../policy/access.ts";
import type { Target } from "../../routing/plan.ts";
import type { Call } from "../call/call.ts";
import { openCallIds } from "../stored-ids/call-ids.ts";
import type { Route } from "./route.ts";

/** Milliseconds that a response in the background may take, where no deadline was set for the call or its key. */
const backgroundMs = 3_600_000;

/** Reads what a Responses request refers to, and gives one in the background the time that it may take. */
export async function readResponsesRequest(call: Call): Promise<void> {
  await openCallIds(call);
  const { options, access } = call;
  if (!options.responses?.isBackground || options.timeouts?.whole !== undefined) return;
  if (access?.timeouts?.whole !== undefined) return;
  call.timeouts = { ...call.timeouts, whole: Math.max(call.timeouts.whole, backgroundMs) };
  call.deadline = call.startedAt + call.timeouts.whole;
}

/**
 * The route, of which only targets are left that can answer a Responses request: those of the vendor that holds what it refers to, and
 * those that work in the background where it asks for that. Throws `invalid_request` or `unsupported_operation` when none is left.
 */
export function keepAbleTargets(call: Call, route: Route): Route {
  const { responses } = call.options;
  const [first] = route.targets;
  if (!responses || !first) return route;
  let able = route.targets;
  if (call.ids?.holder) able = ofHolder(call, able);
  if (responses.isBackground) able = inBackground(call, able);
  if (able.length === route.targets.length) return route;
  const message =
    "The target cannot answer this request of the Responses API: see `previous_response_id`, `background`.";
  const left = route.targets.filter((target) => !able.includes(target));
  const skipped = left.map(({ name }) => ({ entry: name, reason: "unsupported_operation" as const, message }));
  return { ...route, targets: able, skipped: [...route.skipped, ...skipped] };
}

function ofHolder(call: Call, targets: readonly Target[]): readonly Target[] {
  const { holder, reference } = call.ids ?? {};
  if (!holder || !reference) return targets;
  const { id, param } = reference;
  const able = targets.filter(({ provider }) => provider === holder.provider);
  const refuse = (problem: string) => new GatewayError("invalid_request", `\`${param}\`: ${problem}`, { param });
  if (able.length === 0) {
    const names = targets.map(({ name }) => `\`${name}\``).join(", ");
    throw refuse(`'${id}' is held by \`${holder.provider}\`, and ${names} cannot go on from it.`);
  }
  if (!mayUse(call, holder.provider, holder.credential)) {
    throw refuse(
      `'${id}' is held under a credential of \`${holder.provider}\` that is not there, or not for this key.`,
    );
  }
  return able;
}

function mayUse({ ports, access }: Call, provider: string, credential: string | undefined): boolean {
  const credentials = ports.providers.get(provider)?.credentials;
  if (credential === undefined || credentials === undefined) return credential === undefined && !credentials;
  const entry = access && entryFor(access, provider);
  return credentials.some(({ id }) => id === credential) && entry?.allowsCredential(credential) !== false;
}

/** The first target, which the caller has chosen; it must work in the background. No other one can go on with what it has begun. */
function inBackground({ ports, requestType }: Call, targets: readonly Target[]): readonly Target[] {
  const [first] = targets;
  const isStream = requestType === "chat_completion_stream";
  if (first && !isStream && ports.providers.get(first.provider)?.worksInBackground) return [first];
  const message = isStream
    ? "`background` is not offered with a stream: read the response by its id."
    : `\`background\` is not offered by \`${first?.provider}\`: ask without it, or a vendor that has it.`;
  throw new GatewayError("unsupported_operation", message, { param: "background" });
}
