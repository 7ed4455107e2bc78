/** One thing that the fault server does on the socket of a request. A list of them is what a misbehaviour is made of. */
export type SocketStep =
  /** Status and headers go out. */
  | { readonly kind: "head"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** These bytes go out in one piece. */
  | { readonly kind: "write"; readonly bytes: Uint8Array }
  /** Nothing happens for so many milliseconds. */
  | { readonly kind: "wait"; readonly ms: number }
  /** These bytes go out again and again, as fast as they are taken, up to so many in all. */
  | { readonly kind: "flood"; readonly bytes: Uint8Array; readonly upTo: number }
  /** The message ends as HTTP wants it. */
  | { readonly kind: "end" }
  /** The connection is closed without ending the message (FIN). */
  | { readonly kind: "cut" }
  /** The connection is reset (RST). */
  | { readonly kind: "reset" }
  /** Nothing more happens, and the connection stays open until the other side closes it. */
  | { readonly kind: "silence" };

/** Status and headers. */
export function head(status: number, headers: Readonly<Record<string, string>> = {}): SocketStep {
  return { kind: "head", status, headers };
}

/** Bytes, or text as UTF-8, in one piece. */
export function write(content: string | Uint8Array): SocketStep {
  return { kind: "write", bytes: typeof content === "string" ? Buffer.from(content, "utf8") : content };
}

/** A pause in milliseconds. */
export function wait(ms: number): SocketStep {
  return { kind: "wait", ms };
}

export const end: SocketStep = { kind: "end" };
export const cut: SocketStep = { kind: "cut" };
export const reset: SocketStep = { kind: "reset" };
export const silence: SocketStep = { kind: "silence" };

/** Pieces with a pause before each but the first. */
export function trickle(pieces: readonly Uint8Array[], ms: number): SocketStep[] {
  return pieces.flatMap((piece, n) => (n === 0 ? [write(piece)] : [wait(ms), write(piece)]));
}

/** Bytes in pieces of so many. */
export function slice(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}

/** Text in pieces of so many bytes, and a cut inside every character that has more than one. */
export function crumble(text: Uint8Array, size: number): Uint8Array[] {
  const cuts = [...text.keys()].filter((n) => n % size === 0 || isLead(text[n - 1]));
  return cuts.map((from, n) => text.subarray(from, cuts[n + 1]));
}

/** True for the first byte of a UTF-8 character of several. */
function isLead(byte = 0): boolean {
  return byte >= 0xc0;
}
