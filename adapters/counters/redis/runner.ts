import { createHash } from "node:crypto";

/** Keys and arguments of a script. */
interface ScriptCall {
  keys: string[];
  arguments: string[];
}

/** What is used of a client of `redis`: scripts by their text, and by the SHA-1 of it. */
export interface RedisClient {
  eval(script: string, call: ScriptCall): Promise<unknown>;
  evalSha(sha1: string, call: ScriptCall): Promise<unknown>;
}

/** Runs a script with keys and arguments. */
export type Runner = (script: string, keys: string[], parts: readonly (string | number)[]) => Promise<unknown>;

/** Sends the name of a script, and its text where the server does not know it: after its start, or on another node. */
export function createRunner(client: RedisClient): Runner {
  const names = new Map<string, string>();
  const nameOf = (script: string): string => {
    const known = names.get(script) ?? createHash("sha1").update(script).digest("hex");
    names.set(script, known);
    return known;
  };
  return async (script, keys, parts) => {
    const call = { keys, arguments: parts.map(String) };
    try {
      return await client.evalSha(nameOf(script), call);
    } catch (thrown) {
      if (!String((thrown as Error).message).startsWith("NOSCRIPT")) throw thrown;
      return await client.eval(script, call);
    }
  };
}
