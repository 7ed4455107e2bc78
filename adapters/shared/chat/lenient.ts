import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";

/**
 * The error of an answer that cannot be read, for example because a text is a number: `upstream_invalid_response`, so that the next
 * candidate is tried. `thrown` becomes its cause; a `GatewayError` is returned unchanged.
 */
export function unreadableAnswer(thrown: unknown, provider?: string): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  const whose = provider === undefined ? "An event of the stream" : `The answer of ${provider}`;
  return new GatewayError("upstream_invalid_response", `${whose} cannot be read.`, { provider, cause: thrown });
}

/** A reader of a vendor's answers that throws {@link unreadableAnswer} where `read` throws. */
export function reading<Context extends { readonly provider: string }, Made>(
  read: (body: unknown, context: Context) => Made,
): (body: unknown, context: Context) => Made {
  return (body, context) => {
    try {
      return read(body, context);
    } catch (thrown) {
      throw unreadableAnswer(thrown, context.provider);
    }
  };
}
