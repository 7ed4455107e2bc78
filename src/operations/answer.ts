import { z } from "zod";
import { freezeAll } from "../engine/runtime/freeze.ts";

/** The checked elements of frozen lists, by schema. */
const known = new WeakMap<z.ZodType, WeakMap<object, unknown>>();

/**
 * Returns an answer as its schema has it. A frozen element of a list is checked only once, the first time it is answered, so that areas
 * which cache their views do not pay for the check again.
 */
export function checkOutput(output: z.ZodType, answer: unknown): z.ZodSafeParseResult<unknown> {
  if (!(output instanceof z.ZodArray) || !Array.isArray(answer) || hasRules(output)) return output.safeParse(answer);
  const seen = knownBy(output);
  const fresh = answer.filter((element) => !seen.has(element));
  const checked = output.safeParse(fresh);
  if (!checked.success) return output.safeParse(answer); // again, for the right position in the message
  const created = checked.data.values();
  const data = answer.map((element) => {
    if (seen.has(element)) return seen.get(element);
    const value = created.next().value;
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
