/**
 * The position of the quote that closes the string opened at `start`, or the text's end where none does; long strings are passed over by native
 * search.
 */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
