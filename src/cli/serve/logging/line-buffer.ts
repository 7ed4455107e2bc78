/** Lines of a log on their way out. */
export interface LineBuffer {
  readonly write: (line: string) => void;
  /** Writes what was gathered, for the end. */
  readonly flush: () => void;
}

/** Writes the lines of one event-loop turn together, so that several requests share one system call under load. */
export function bufferLines(write: (lines: string) => void): LineBuffer {
  let gathered = "";
  const flush = (): void => {
    const lines = gathered;
    gathered = "";
    if (lines !== "") write(lines);
  };
  return {
    write(line) {
      if (gathered === "") setImmediate(flush);
      gathered += line;
    },
    flush,
  };
}
