/** Attempts of a request that can have rows of their own: `attempt.id` is `request × 256 + number`, so that they lie together. */
export const attemptsPerRequest = 256;

/** The ids of all attempts of some requests, from the first to the last. */
export function attemptIds(firstRequest: number, lastRequest: number): readonly [first: number, last: number] {
  return [firstRequest * attemptsPerRequest, lastRequest * attemptsPerRequest + attemptsPerRequest - 1];
}

/** True in SQL for attempts `a` of the request `r`. */
export const isOfRequest = `a.id BETWEEN r.id * ${attemptsPerRequest} AND r.id * ${attemptsPerRequest} + ${attemptsPerRequest - 1}`;
