import { z } from "zod";
import { freezeAll } from "../ports/frozen.ts";

/** What schemas made of elements of lists that cannot change any more, by schema. */
const known = new WeakMap<z.ZodType, WeakMap<object, unknown>>();

/**
 * An answer as its schema has it. Elements of lists that are frozen are checked once, the first time that they are answered: areas that
 * keep what they show ready are not made to pay for it again.
 */
export function checkOutput(output: z.ZodType, answer: unknown): z.ZodSafeParseResult<unknown> {
  if (!(output instanceof z.ZodArray) || !Array.isArray(answer) || hasRules(output)) return output.safeParse(answer);
  const seen = knownBy(output);
  const fresh = answer.filter((element) => !seen.has(element));
  const checked = output.safeParse(fresh);
  if (!checked.success) return output.safeParse(answer); // once more, for the right position in the message
  const made = checked.data.values();
  const data = answer.map((element) => {
    if (seen.has(element)) return seen.get(element);
    const value = made.next().value;
    if (Object.isFrozen(element) && typeof element === "object") seen.set(element, freezeAll(value));
    return value;
  });
  return { success: true, data };
}

/** True for rules about the list as a whole. */
function hasRules({ def }: z.ZodArray): boolean {
  return (def.checks?.length ?? 0) > 0;
}

function knownBy(output: z.ZodType): WeakMap<object, unknown> {
  const seen = known.get(output) ?? new WeakMap<object, unknown>();
  known.set(output, seen);
  return seen;
}
