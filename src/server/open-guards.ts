import { GatewayError, isGatewayError } from "../engine/errors.ts";
import type { Middleware, MiddlewareContext } from "../engine/ports/middleware/middleware.ts";
import type { CheckedConfig } from "./config/shape.ts";

type GuardEntry = NonNullable<CheckedConfig["guards"]>[number];
type GuardFactory = (options: never) => Middleware;

/** The guards that a file can name, each loaded where it is named. */
const factories: Readonly<Record<string, () => Promise<GuardFactory>>> = {
  pii: async () => (await import("tollgate/guards/pii")).pii,
  words: async () => (await import("tollgate/guards/words")).words,
  schema: async () => (await import("tollgate/guards/schema")).schema as GuardFactory,
  moderation: async () => (await import("tollgate/guards/moderation")).moderation,
  judge: async () => (await import("tollgate/guards/judge")).judge,
};

/** Makes the guards of a configuration, in its order. Throws `invalid_configuration` that names the entry. */
export async function openGuards(guards: CheckedConfig["guards"]): Promise<readonly Middleware[] | undefined> {
  if (guards === undefined) return undefined;
  const opened: Middleware[] = [];
  for (const [position, entry] of guards.entries()) opened.push(await openGuard(entry, `guards.${position}`));
  return opened;
}

async function openGuard(entry: GuardEntry, param: string): Promise<Middleware> {
  if (!("use" in entry)) return entry as unknown as Middleware; // seam: of a TypeScript or JavaScript file; the engine checks it
  const { use, keys, projects, customers, verbs, timeout, onError, ...options } = entry;
  try {
    const made = await factories[use as string]?.();
    if (made === undefined)
      throw new GatewayError("invalid_configuration", `\`use\`: must be one of ${Object.keys(factories).join(", ")}.`);
    const guard = made(options as never);
    const applies = (context: MiddlewareContext) => isMeant({ keys, projects, customers }, context);
    const own = verbs === undefined ? {} : { verbs: verbs as Middleware["verbs"] }; // the engine checks them
    return {
      ...guard,
      ...own,
      applies,
      ...(timeout === undefined ? {} : { timeout }),
      ...(onError ? { onError } : {}),
    };
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    const name = thrown.param === undefined ? param : `${param}.${thrown.param}`;
    throw new GatewayError("invalid_configuration", `\`${name}\`: ${thrown.message}`, { param: name });
  }
}

type GuardScope = Partial<Record<"keys" | "projects" | "customers", readonly string[] | undefined>>;

/** A guard without a scope is for every request; one with several is for what any of them names. */
function isMeant(
  { keys, projects, customers }: GuardScope,
  { keyId, projectId, customerId }: MiddlewareContext,
): boolean {
  if (!keys && !projects && !customers) return true;
  const isIn = (list: readonly string[] | undefined, id: string | undefined) => id !== undefined && list?.includes(id);
  return Boolean(isIn(keys, keyId) || isIn(projects, projectId) || isIn(customers, customerId));
}
