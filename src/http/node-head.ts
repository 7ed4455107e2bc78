import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { HttpResponse } from "./exchange.ts";
import { addRateHeaders, rateLines } from "./rates.ts";

/**
 * Writes the status and the headers. Node looks at the name and the value of each header anew, which for the six that tell of windows
 * is a twentieth of a governed request: they are digits under names of ours, and go into the head that Node has made. A response whose
 * head was changed by somebody else, or of a Node that keeps it otherwise, is given them as ever.
 */
export function writeHead(res: ServerResponse, { status, headers, rates }: HttpResponse): void {
  const keepsHead = rates !== undefined && isUntouched(res) && keepsHeads();
  if (rates && !keepsHead) addRateHeaders(headers, rates);
  res.writeHead(status, headers);
  if (rates && keepsHead) addLines(res, rateLines(rates));
}

/** Nobody wraps `writeHead` or has set headers by himself, with which these would have to be merged. */
function isUntouched(res: ServerResponse): boolean {
  return res.writeHead === ServerResponse.prototype.writeHead && res.getHeaderNames().length === 0;
}

/** Where Node keeps the head of a response until it is sent, with the empty line at its end. */
interface Kept {
  _header: string;
}

/** The seam to what Node's types leave out. */
function keptIn(res: ServerResponse): Kept {
  return res as unknown as Kept;
}

const lineEnd = "\r\n";

function addLines(res: ServerResponse, lines: string): void {
  const kept = keptIn(res);
  kept._header = kept._header.slice(0, -lineEnd.length) + lines + lineEnd;
}

let isKeeping: boolean | undefined;

/** Whether this Node does so; found out once. */
function keepsHeads(): boolean {
  isKeeping ??= findHead();
  return isKeeping;
}

function findHead(): boolean {
  const probe = new ServerResponse(new IncomingMessage(new Socket()));
  probe.writeHead(200, { "x-probe": "1" });
  const head: unknown = keptIn(probe)._header;
  return typeof head === "string" && head.includes(`x-probe: 1${lineEnd}`) && head.endsWith(lineEnd + lineEnd);
}
