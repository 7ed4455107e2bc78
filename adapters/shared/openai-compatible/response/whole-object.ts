/** Watches the text of one JSON object as its pieces come. */
export interface ObjectWatch {
  feed(piece: string): void;
  /** The object has begun and its last brace has come. */
  readonly isWhole: boolean;
}

const codes = { quote: 34, backslash: 92, open: 123, close: 125 } as const;

/** Looks at each character once, however the text is cut. */
export function objectWatch(): ObjectWatch {
  let depth = 0;
  let hasBegun = false;
  let isInText = false;
  let isEscaped = false;

  function look(code: number): void {
    if (isEscaped) isEscaped = false;
    else if (isInText) {
      if (code === codes.backslash) isEscaped = true;
      else if (code === codes.quote) isInText = false;
    } else if (code === codes.quote) isInText = true;
    else if (code === codes.open) {
      depth++;
      hasBegun = true;
    } else if (code === codes.close) depth--;
  }

  return {
    feed(piece) {
      for (let at = 0; at < piece.length; at++) look(piece.charCodeAt(at));
    },
    get isWhole() {
      return hasBegun && depth === 0;
    },
  };
}
