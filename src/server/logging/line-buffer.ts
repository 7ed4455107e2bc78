/** Lines of a log on their way out. */
export interface LineBuffer {
  readonly write: (line: string) => void;
  /** Writes what was gathered, for the end. */
  readonly flush: () => void;
}

/** Bytes that a system writes to a pipe as one piece, also where other processes write to it (PIPE_BUF of POSIX systems is this or more on Linux). */
export const atomicBytes = 4_096;

/**
 * Writes the lines of one event-loop turn together, so that several requests share one system call under load. With `most`, whole lines are
 * written in pieces of at most so many bytes, so that several processes can share one pipe; a longer line is a piece of its own.
 */
export function bufferLines(write: (lines: string) => void, most = Number.POSITIVE_INFINITY): LineBuffer {
  let gathered = "";
  const flush = (): void => {
    const lines = gathered;
    gathered = "";
    if (lines === "") return;
    if (most === Number.POSITIVE_INFINITY) write(lines);
    else for (const piece of piecesOf(lines, most)) write(piece);
  };
  return {
    write(line) {
      if (gathered === "") setImmediate(flush);
      gathered += line;
    },
    flush,
  };
}

/** Whole lines, as many as fit in a piece. */
function piecesOf(lines: string, most: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let bytes = 0;
  for (const line of lines.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const length = Buffer.byteLength(line);
    if (piece !== "" && bytes + length > most) {
      pieces.push(piece);
      piece = "";
      bytes = 0;
    }
    piece += line;
    bytes += length;
  }
  return piece === "" ? pieces : [...pieces, piece];
}
