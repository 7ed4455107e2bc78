/** Something that is chosen in proportion to its weight. */
export interface Weighted {
  /** 1 unless given; 0, or what is no finite positive number, is a last resort. */
  readonly weight?: number | undefined;
}

/**
 * A weighted order of all candidates from one draw in [0, 1): each place goes to one of those left in proportion to their weights, and
 * what of the draw the choice has not used decides the next place. Those without weight come last, as listed.
 */
export function orderByWeight<Candidate extends Weighted>(
  candidates: readonly Candidate[],
  draw: number,
): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const pool = candidates.filter((candidate) => weightOf(candidate) > 0);
  const ordered: Candidate[] = [];
  let rest = draw;
  while (pool.length > 1) {
    const chosen = choose(pool, rest);
    rest = chosen.rest;
    ordered.push(...pool.splice(chosen.position, 1));
  }
  return [...ordered, ...pool, ...candidates.filter((candidate) => weightOf(candidate) === 0)];
}

/** The candidate that a draw falls on, and where inside its share it fell: a draw of its own, in [0, 1). */
function choose(pool: readonly Weighted[], draw: number): { readonly position: number; readonly rest: number } {
  const total = pool.reduce((sum, candidate) => sum + weightOf(candidate), 0);
  let left = draw * total;
  const last = pool.length - 1;
  for (let position = 0; position < last; position++) {
    const weight = weightOf(pool[position] as Weighted);
    if (left < weight) return { position, rest: left / weight };
    left -= weight;
  }
  return { position: last, rest: left / weightOf(pool[last] as Weighted) };
}

/** The weight as it counts. */
function weightOf({ weight = 1 }: Weighted): number {
  return Number.isFinite(weight) && weight > 0 ? weight : 0;
}

/** Something that sessions stick to. */
export interface NamedWeight extends Weighted {
  /** Unique among the candidates, and the same from request to request. */
  readonly id: string;
}

/**
 * The order of the candidates for one session: always the same, in every process and with nothing remembered, however they are listed.
 * Sessions spread by weight; taking a candidate away moves only the sessions that it had. Those without weight come last, as listed.
 * (Rendezvous hashing with logarithmic scores.)
 */
export function orderBySession<Candidate extends NamedWeight>(
  candidates: readonly Candidate[],
  session: string,
): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const scored = candidates.map((candidate) => ({ candidate, score: scoreOf(candidate, session) }));
  scored.sort((one, other) => other.score - one.score || compareIds(one.candidate, other.candidate));
  return scored.map(({ candidate }) => candidate);
}

/** Breaks ties: candidates without weight stay as listed; others, whose hashes in 2⁵² collide, are ordered by id. */
function compareIds(one: NamedWeight, other: NamedWeight): number {
  if (weightOf(one) === 0) return 0;
  return one.id < other.id ? -1 : 1;
}

function scoreOf(candidate: NamedWeight, session: string): number {
  const weight = weightOf(candidate);
  return weight === 0 ? 0 : weight / -Math.log(fractionOf(`${candidate.id}\u0000${session}`));
}

/** A number strictly between 0 and 1 that depends on nothing but the text. */
function fractionOf(text: string): number {
  const high = mix(text, 0x811c9dc5);
  const low = mix(text, high ^ 0x9e3779b9);
  return (high * 2 ** 20 + (low >>> 12) + 0.5) / 2 ** 52;
}

/** FNV-1a over the text's code units, with MurmurHash3's finaliser, since neighbours such as `s1` and `s2` must land far apart. */
function mix(text: string, seed: number): number {
  let hash = seed;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
