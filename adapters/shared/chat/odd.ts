import { GatewayError, isGatewayError } from "../../../src/errors.ts";

/**
 * The error of an answer that was stumbled over while it was read: a list that is none, a number where a text should be. It is the vendor's
 * fault, so that the next target is asked; what went wrong is the cause.
 */
export function oddAnswer(thrown: unknown, provider?: string): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  const whose = provider === undefined ? "An event of the stream" : `The answer of ${provider}`;
  return new GatewayError("upstream_invalid_response", `${whose} cannot be read.`, { provider, cause: thrown });
}

/** A text that an answer is made of, empty where none is told; a reader stumbles over what is none. */
export function textOf(told: unknown): string {
  if (typeof told === "string") return told;
  if (told === undefined || told === null) return "";
  throw new TypeError(`A text of an answer is of type ${typeof told}.`);
}

/** A text that stands beside the content of an answer: its name, a title, an address. Nothing where it is empty, or none. */
export function asideOf(told: unknown): string | undefined {
  return typeof told === "string" && told !== "" ? told : undefined;
}

/** A number of a list, of which there is none under 1: a size, an instant. Nothing where it is none, or 0. */
export function sizeOf(told: unknown): number | undefined {
  return Number.isSafeInteger(told) && (told as number) > 0 ? (told as number) : undefined;
}

/** An index of a list, for which the place stands where it is none. */
export function indexOr(place: number, told: unknown): number {
  return Number.isSafeInteger(told) && (told as number) >= 0 ? (told as number) : place;
}

/** The texts of a list; nothing where it is no list. */
export function textsOf(told: unknown): string[] | undefined {
  return Array.isArray(told) ? told.filter((each) => typeof each === "string") : undefined;
}

/** What a reader makes of a vendor's answer; throws {@link oddAnswer} where it stumbles. */
export function reading<Context extends { readonly provider: string }, Made>(
  read: (body: unknown, context: Context) => Made,
): (body: unknown, context: Context) => Made {
  return (body, context) => {
    try {
      return read(body, context);
    } catch (thrown) {
      throw oddAnswer(thrown, context.provider);
    }
  };
}
