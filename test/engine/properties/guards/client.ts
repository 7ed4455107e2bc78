import { jsonTexts } from "../../../../src/engine/runtime/json/json-texts.ts";

/** The smallest chat of each dialect. */
export const dialects: Readonly<Record<string, (isStream: boolean) => readonly [path: string, body: object]>> = {
  plain: (stream) => ["/v1/chat/completions", { model: "a/m", stream, messages: [{ role: "user", content: "hi" }] }],
  openai: (stream) => [
    "/openai/v1/chat/completions",
    { model: "a/m", stream, messages: [{ role: "user", content: "hi" }] },
  ],
  responses: (stream) => ["/v1/responses", { model: "a/m", stream, input: "hi" }],
  anthropic: (stream) => [
    "/anthropic/v1/messages",
    { model: "a/m", max_tokens: 9, stream, messages: [{ role: "user", content: "hi" }] },
  ],
  genai: (stream) => [
    `/genai/v1beta/models/a/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents: [{ parts: [{ text: "hi" }] }] },
  ],
  cohere: (stream) => ["/cohere/v2/chat", { model: "a/m", stream, messages: [{ role: "user", content: "hi" }] }],
};

/**
 * Every text that a client could read in an answer: the bytes themselves, each string, the strings of one member put together over all events
 * of a stream, and the strings inside JSON texts among these. Without `hasPieces` only what is put together: a piece of a word is no word.
 */
export function readable(body: string, hasPieces = true): string[] {
  const joined = new Map<string, string>();
  const strings: string[] = [];
  for (const line of body.split("\n")) {
    const json = line.startsWith("data:") ? line.slice(5).trim() : line;
    if (!json.startsWith("{")) continue;
    const event = JSON.parse(json) as { readonly type?: unknown };
    collect(event, "", (own, text) => {
      const name = `${String(event.type)} ${own}`; // events that end a part say its text again
      strings.push(text);
      joined.set(name, (joined.get(name) ?? "") + text);
    });
  }
  const texts = [...(hasPieces ? [body, ...strings] : []), ...joined.values()];
  return [...texts, ...texts.flatMap((text) => (jsonTexts(text) ?? []).map((one) => one.text))];
}

/** Members that hold the arguments of a call. */
const calls: ReadonlySet<string> = new Set(["input", "args", "arguments"]);
let callCount = 0;

type Take = (name: string, text: string) => void;

/** A member is named by its own name, the type of what it is in, and whether that is a thought. */
function collect(value: unknown, name: string, take: Take): void {
  if (typeof value === "string") take(name, value);
  if (typeof value !== "object" || value === null) return;
  const { type, thought } = value as { readonly type?: unknown; readonly thought?: unknown };
  for (const [member, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) take("names", ` ${member}`);
    // arguments that come as an object are those of one call: no client reads them together with another's
    const own = calls.has(member) && typeof inner === "object" ? `#${++callCount}` : "";
    collect(
      inner,
      Array.isArray(value) ? name : `${member} ${String(type ?? name.split(" ")[1])}${own} ${thought}`,
      take,
    );
  }
}
