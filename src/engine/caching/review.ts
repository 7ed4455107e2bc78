import { digest } from "./fingerprint.ts";

/** Two questions of which the second was, or would have been, given the answer to the first. */
export interface ReviewedPair {
  /** Names the pair: the same two questions have the same one. */
  readonly id: string;
  readonly similarity: number;
  readonly known: string;
  readonly asked: string;
  /** How often it was found. */
  readonly count: number;
  /** Whether one answer is right for both; `undefined` until somebody has said so. */
  readonly isSame: boolean | undefined;
}

/** The lines of a review file that are a pair, or what somebody said of one. */
type ReviewLine =
  | { readonly similarity: number; readonly known: string; readonly asked: string }
  | { readonly id: string; readonly same: boolean };

/** The id of a pair: 12 characters of the SHA-256 of its questions. */
export function pairId(known: string, asked: string): string {
  return (digest([known, asked]) as string).slice(0, 12); // texts always have one
}

/**
 * The pairs of a review file, JSON lines of pairs and labels, the nearest last; the last label of a pair counts. `problems` has the number
 * of each line that is neither, from 1: the last one may be half written.
 */
export function readReview(text: string): { readonly pairs: ReviewedPair[]; readonly problems: number[] } {
  const pairs = new Map<string, ReviewedPair>();
  const labels = new Map<string, boolean>();
  const problems: number[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = readLine(line);
    if (read === undefined) problems.push(at + 1);
    else if ("same" in read) labels.set(read.id, read.same);
    else {
      const id = pairId(read.known, read.asked);
      const { similarity, known, asked } = read;
      pairs.set(id, { id, similarity, known, asked, count: (pairs.get(id)?.count ?? 0) + 1, isSame: undefined });
    }
  }
  const labelled = [...pairs.values()].map((pair) => ({ ...pair, isSame: labels.get(pair.id) }));
  return { pairs: labelled.sort((one, other) => one.similarity - other.similarity), problems };
}

/** A line of a review file; `undefined` for one that is none. */
export function readLine(line: string): ReviewLine | undefined {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof read !== "object" || read === null) return undefined;
  const { id, same, similarity, known, asked } = read as Record<string, unknown>;
  if (typeof id === "string" && typeof same === "boolean") return { id, same };
  const isPair = typeof similarity === "number" && typeof known === "string" && typeof asked === "string";
  return isPair ? { similarity, known, asked } : undefined;
}

/** How good hits are at a threshold, of the pairs that somebody has labelled. */
export interface ThresholdPrecision {
  readonly threshold: number;
  /** Labelled pairs that are at least as similar. */
  readonly labelled: number;
  /** Those of them for which one answer is right. */
  readonly right: number;
  /** Their part, 0 to 1; `undefined` of none. */
  readonly precision: number | undefined;
}

/** The precision of hits at thresholds, by labelled pairs, each counted once. */
export function precisionAt(pairs: readonly ReviewedPair[], thresholds: readonly number[]): ThresholdPrecision[] {
  return thresholds.map((threshold) => {
    const labelled = pairs.filter(({ similarity, isSame }) => isSame !== undefined && similarity >= threshold);
    const right = labelled.filter(({ isSame }) => isSame).length;
    const precision = labelled.length === 0 ? undefined : right / labelled.length;
    return { threshold, labelled: labelled.length, right, precision };
  });
}
