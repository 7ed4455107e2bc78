import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";
import type { Probe } from "../terminal/terminal.ts";

/** Longer than any list of models of one machine. */
const mostBytes = 4 * 1024 * 1024;

/** A probe that waits `ms` at most. */
export function probeFor(ms: number): Probe {
  return (url) =>
    new Promise((resolve) => {
      const get = url.startsWith("https:") ? getSecure : getPlain;
      const request = get(url, { signal: AbortSignal.timeout(ms), headers: { accept: "application/json" } });
      request.on("error", () => resolve(undefined));
      request.on("response", async (response) => {
        const pieces: Buffer[] = [];
        let size = 0;
        try {
          for await (const piece of response as AsyncIterable<Buffer>) {
            size += piece.length;
            if (size > mostBytes) break;
            pieces.push(piece);
          }
          resolve(response.statusCode === 200 ? JSON.parse(Buffer.concat(pieces).toString("utf8")) : undefined);
        } catch {
          resolve(undefined); // cut off, too late, or no JSON: nothing usable
        }
      });
    });
}
