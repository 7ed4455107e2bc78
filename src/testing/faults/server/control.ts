import { request } from "node:http";
import type { FaultServerCall } from "./call-log.ts";

/** A fault server seen from outside, wherever it runs. */
export interface FaultServerControl {
  /** What reached it, oldest first; with a tag only the calls of models that carry it. */
  log(tag?: string): Promise<readonly FaultServerCall[]>;
  /** Forgets what reached it, and how often each model was asked. */
  clear(): Promise<void>;
  /** A number that no other caller of this fault server gets. */
  nextRun(): Promise<number>;
}

/** Speaks to the control addresses of a fault server at `http://host:port`. */
export function controlFaultServer(url: string): FaultServerControl {
  return {
    log: async (tag) => {
      const query = tag === undefined ? "" : `?tag=${encodeURIComponent(tag)}`;
      return (await exchange("GET", `${url}/__log${query}`)) as readonly FaultServerCall[];
    },
    clear: async () => void (await exchange("DELETE", `${url}/__log`)),
    nextRun: async () => ((await exchange("POST", `${url}/__run`)) as { readonly run: number }).run,
  };
}

function exchange(method: string, url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(pieces).toString("utf8");
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`the fault server answered ${method} ${url} with ${response.statusCode}: ${text}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}
