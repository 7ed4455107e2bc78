import { GatewayError, isGatewayError } from "../../errors.ts";
import { withoutCredentialWords } from "../../routing/credential-words.ts";
import { type Call, emitDefect } from "../call/call.ts";

/**
 * What a provider threw. Anything but a GatewayError is emitted at once as a defect, since another candidate may answer, and becomes
 * `upstream_error` of the provider with what was thrown as its cause. Its message is for the log alone: it may quote a credential.
 */
export function providerFailure(
  call: Call,
  thrown: unknown,
  { provider }: { readonly provider: string },
): GatewayError {
  if (isGatewayError(thrown)) return withoutCredentialWords(thrown, provider);
  emitDefect(call, thrown);
  const message = `The provider \`${provider}\` failed with ${kindOf(thrown)}.`;
  return new GatewayError("upstream_error", message, { provider, cause: thrown });
}

/** A name of a class, and nothing that a credential could be. */
const className = /^[A-Za-z][A-Za-z_]{0,39}$/;

function kindOf(thrown: unknown): string {
  try {
    const name = thrown instanceof Error ? thrown.name : undefined;
    if (name === undefined) return "something that is no error";
    return typeof name === "string" && className.test(name) ? `a ${name}` : "an error";
  } catch {
    return "an error";
  }
}
