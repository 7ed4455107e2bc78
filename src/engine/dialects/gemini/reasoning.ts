/** The format that marks reasoning details as Gemini's, so that no other vendor is sent them. */
export const reasoningFormat = "google-gemini-v1";

/** The `id` of the reasoning detail that holds the signature of a message's nth image. */
export function imageId(at: number): string {
  return `image_${at}`;
}
