import { expect } from "vitest";

/** The text of a body up to where it fails, as that of a broken stream must; a body that ends well fails the test. */
export async function readBroken(response: Response): Promise<string> {
  const { text, isBroken } = await readUntilEnd(response);
  expect(isBroken, `the body ended well: ${text.slice(-200)}`).toBe(true);
  return text;
}

/** The text of a body, and whether it failed. */
export async function readUntilEnd(response: Response): Promise<{ readonly text: string; readonly isBroken: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
    return { text, isBroken: false };
  } catch {
    return { text, isBroken: true };
  }
}
