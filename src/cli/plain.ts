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

const wide =
  /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}|[\u3000-\u303e\uff01-\uff60]/u;
const seated = /\p{Mark}|\p{Format}/u;

/** Columns of a terminal that a text takes: two for a letter of East Asia or a picture, none for a mark that sits on another. */
export function widthOf(text: string): number {
  if (/^[ -~…]*$/.test(text)) return text.length;
  let width = 0;
  for (const letter of text) width += wide.test(letter) ? 2 : seated.test(letter) ? 0 : 1;
  return width;
}
