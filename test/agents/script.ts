/** What a scripted vendor says: a tool call first, and an answer once the result of the call is in the conversation. */
export interface Script {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly answer: string;
}

/** A call of a tool or its result, as a vendor saw it in a conversation. */
export interface Seen {
  readonly id: string | undefined;
  /** The name of the tool, or the JSON of what it said. */
  readonly text: string;
}

/** A request as far as the suites look at it. */
export interface Asked {
  /** The names of the tools that the model may call. */
  readonly tools: readonly string[];
  readonly calls: readonly Seen[];
  readonly results: readonly Seen[];
  /** What the vendor signed in its first turn and has to get back, where its interface has that. */
  readonly seals: readonly string[];
}

/** A turn of a script. */
export type Turn =
  | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly arguments: Script["arguments"] }
  | { readonly kind: "text"; readonly text: string };

/** Side questions without tools, such as the one for a title, get a short text. */
export function takeTurn({ tools, results }: Asked, script: Script): Turn {
  if (results.length > 0) return { kind: "text", text: script.answer };
  if (tools.length === 0) return { kind: "text", text: "A short text" };
  return { kind: "call", id: "call_scripted_1", tool: script.tool, arguments: script.arguments };
}

/** What a vendor signs its reasoning with. */
export const seal = Buffer.from("signed by the scripted vendor").toString("base64");

/** An interface of a vendor. */
export interface VendorInterface {
  /** The end of the paths of its requests for an answer. */
  readonly path: RegExp;
  readonly read: (body: Readonly<Record<string, unknown>>) => Asked;
  /** True for a request whose answer is a stream. */
  readonly isStream: (body: Readonly<Record<string, unknown>>, path: string) => boolean;
  /** The data of the events of a streamed answer; an event with a `type` has that for its name. */
  readonly stream: (turn: Turn) => readonly object[];
  /** A whole answer of text, to a side question. */
  readonly whole: (text: string) => object;
  /** What ends a stream. */
  readonly end: string;
}
