const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Writes bytes in base32 (RFC 4648, section 6), without padding. */
export function toBase32(bytes: Uint8Array): string {
  let written = "";
  let [held, bits] = [0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) written += alphabet[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? written : written + alphabet[(held << (5 - bits)) & 31];
}

/** Reads what {@link toBase32} has written, in any letter case. */
export function fromBase32(text: string): Uint8Array {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const character of text.toUpperCase()) {
    held = ((held << 5) | alphabet.indexOf(character)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
  }
  return Uint8Array.from(bytes);
}
