import { hash } from "node:crypto";

/** Keys and arguments of a script. */
interface ScriptCall {
  keys: string[];
  arguments: string[];
}

/** What is used of a client of `redis`: scripts by their text, and by the SHA-1 of it. */
export interface RedisClient {
  eval(script: string, call: ScriptCall): Promise<unknown>;
  evalSha(sha1: string, call: ScriptCall): Promise<unknown>;
  /** False once its owner has closed it: nothing that is sent will ever be answered. */
  readonly isOpen?: boolean;
}

/** A script, and the name that a server knows it by. */
export interface RedisScript {
  readonly text: string;
  readonly sha1: string;
}

/** Names a script. */
export function scriptOf(text: string): RedisScript {
  return { text, sha1: hash("sha1", text) };
}

/** Runs a script with keys and arguments. */
export type RunScript = (script: RedisScript, keys: string[], parts: readonly (string | number)[]) => Promise<unknown>;

/** Sends the name of a script, and its text where the server does not know it: after its start, or on another node. */
export function createRunner(client: RedisClient): RunScript {
  return async ({ text, sha1 }, keys, parts) => {
    const call = { keys, arguments: parts.map(String) };
    try {
      return await client.evalSha(sha1, call);
    } catch (thrown) {
      if (!String((thrown as Error).message).startsWith("NOSCRIPT")) throw thrown;
      return await client.eval(text, call);
    }
  };
}
