import { UsageError } from "../terminal/usage-error.ts";

/** Most processes of one gateway. */
export const mostWorkers = 256;

/** The number of workers that a command line asks for; throws `UsageError` for what is neither a number nor `auto`. */
export function readWorkers(text: string | undefined): number | "auto" {
  if (text === undefined) return 1;
  if (text === "auto") return "auto";
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= mostWorkers) return count;
  throw new UsageError(`--workers takes 1 to ${mostWorkers}, or auto, not "${text}".`, "");
}
