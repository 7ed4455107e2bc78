/** What a scripted vendor says: a tool call first, and an answer once the result of the call is in the conversation. */
export interface Script {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly answer: string;
  /** True for a request that a vendor answers with a 503, as one that is down does. */
  readonly isDown?: (vendor: VendorName, asked: ReadRequest) => boolean;
}

/** A call of a tool or its result, as a vendor saw it in a conversation. */
export interface Seen {
  readonly id: string | undefined;
  /** The name of the tool, or the JSON of what it said. */
  readonly text: string;
}

/** A request as a vendor's interface reads it. */
export interface Asked extends ReadRequest {
  readonly vendor: VendorName;
  readonly path: string;
  readonly isStream: boolean;
  /** False for a request that the vendor refused, or did not answer because it is down. */
  readonly isAnswered: boolean;
}

/** The vendors with interfaces of their own. */
export type VendorName = keyof typeof seals;

/** A request as far as the suites look at it. */
export interface ReadRequest {
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
export function takeTurn({ tools, results }: ReadRequest, script: Script): Turn {
  if (results.length > 0) return { kind: "text", text: script.answer };
  if (tools.length === 0) return { kind: "text", text: "A short text" };
  return { kind: "call", id: "call_scripted_1", tool: script.tool, arguments: script.arguments };
}

const sealOf = (vendor: string) => Buffer.from(`signed by the scripted ${vendor}`).toString("base64");

/** What each vendor signs its reasoning with. It refuses what another one signed. */
export const seals = { openai: sealOf("OpenAI"), anthropic: sealOf("Anthropic"), gemini: sealOf("Gemini") } as const;

/** An interface of a vendor. */
export interface VendorInterface {
  readonly vendor: VendorName;
  /** The end of the paths of its requests for an answer. */
  readonly path: RegExp;
  readonly read: (body: Readonly<Record<string, unknown>>) => ReadRequest;
  /** Why the vendor would refuse the request, in its words. */
  readonly refusalOf?: (body: Readonly<Record<string, unknown>>) => string | undefined;
  /** True for a request whose answer is a stream. */
  readonly isStream: (body: Readonly<Record<string, unknown>>, path: string) => boolean;
  /** The data of the events of a streamed answer; an event with a `type` has that for its name. */
  readonly stream: (turn: Turn) => readonly object[];
  readonly whole: (turn: Turn) => object;
  /** What ends a stream. */
  readonly end: string;
}
