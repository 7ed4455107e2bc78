/** One event of a stream. */
export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Splits the text of an event stream, however it is cut, into its events; comments are left out. */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = "";
  return (text) => {
    const blocks = (rest + text).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    return blocks.flatMap(readBlock);
  };
}

function readBlock(block: string): StreamEvent[] {
  const fields = { id: "", event: "message" };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ""] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    if (name === "id" || name === "event") fields[name] = value;
    if (name === "data") data.push(value);
  }
  return data.length === 0 ? [] : [{ ...fields, data: data.join("\n") }];
}

/** Milliseconds until a stream that broke is opened again: 0.5 s, doubled with each failure up to 30 s, and half of it by chance. */
export function waitBeforeTry(failures: number, random: number): number {
  const most = Math.min(30_000, 500 * 2 ** failures);
  return most / 2 + (most / 2) * random;
}
