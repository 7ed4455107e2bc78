/** Control characters, but for the line feed and the tab: some move the cursor, others begin a command to the terminal. */
const control = /(?![\n\t])\p{Cc}/gu;

/** A text from elsewhere, safe to show on a terminal. */
export function plainText(text: string): string {
  return text.replace(control, "");
}

/** Control characters, and those that let a text run backwards and look like another one. */
const misleading = /[\p{Cc}\p{Bidi_Control}]+/gu;

/** The same on one line, cut where it is too long to be looked at. */
export function plainLine(text: string): string {
  const line = text.replace(misleading, " ");
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}
