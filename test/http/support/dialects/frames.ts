/** One event of a stream, as it was framed. */
export interface Framed {
  readonly event: string | undefined;
  /** The JSON of its data; the text itself where it is none. */
  readonly data: unknown;
}

/** The events of a stream's text, in order. */
export function readEvents(text: string): Framed[] {
  return text
    .split("\n\n")
    .filter((block) => block.trim() !== "" && !block.startsWith(":"))
    .map((block) => {
      const lines = block.split("\n");
      const data = lines.find((line) => line.startsWith("data: "))?.slice("data: ".length) ?? "";
      const event = lines.find((line) => line.startsWith("event: "))?.slice("event: ".length);
      return { event, data: data.startsWith("[") ? data : JSON.parse(data) };
    });
}
