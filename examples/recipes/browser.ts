/** What to ask, where, and as whom. */
export interface Question {
  /** Where the gateway is: `https://host/ai`. */
  readonly base: string;
  /** A virtual key of this user: what a page holds, its reader holds too. */
  readonly key: string;
  readonly model: string;
  readonly text: string;
  readonly signal?: AbortSignal;
}

/** Reads a streamed answer in a page, without a library. Throws when the stream ends before the answer does. */
export async function ask(
  { base, key, model, text, signal }: Question,
  onText: (piece: string) => void,
): Promise<void> {
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, stream: true, messages: [{ role: "user", content: text }] }),
    signal: signal ?? null,
  });
  if (!response.ok || response.body === null) throw new Error(messageOf(await response.json()));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    const lines = (rest + step.value).split("\n");
    rest = lines.pop() ?? ""; // a line may be cut anywhere
    for (const line of lines) {
      if (line === "data: [DONE]") return;
      if (!line.startsWith("data: ")) continue; // comments keep the connection alive
      const event = JSON.parse(line.slice("data: ".length));
      if (event.error) throw new Error(messageOf(event));
      onText(event.choices[0]?.delta.content ?? "");
    }
  }
  throw new Error("The answer broke off.");
}

function messageOf(failure: unknown): string {
  return (failure as { error?: { message?: string } }).error?.message ?? "The request failed.";
}
