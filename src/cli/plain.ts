/** Control characters, but for the line feed and the tab: some move the cursor, others begin a command to the terminal. */
const control = /(?![\n\t])\p{Cc}/gu;

/** A text from elsewhere, safe to show on a terminal. */
export function plainText(text: string): string {
  return text.replace(control, "");
}

/** The same on one line, cut where it is too long to be looked at. */
export function plainLine(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, " ");
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}
