import { dirname } from "node:path";
import { findProgram } from "./fetched.ts";

/** The Node versions that tests ask for beside the pinned one: the oldest promised, the newest, and one that must be refused. */
export const nodeVersions = { oldest: "22.13.0", newest: "26.10.0", refused: "20.20.2" } as const;

/** The path of a Node executable of exactly this version; fetched once into `.cache`. */
export function findNode(version: string): string {
  return findProgram("node", version);
}

/** An environment in which this Node is the first `node` on the path. */
export function putFirst(executable: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(executable)}:${process.env.PATH}` };
}
