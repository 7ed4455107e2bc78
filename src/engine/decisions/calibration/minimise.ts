/** A convex function of several parameters. */
export interface Convex {
  lossAt(point: readonly number[]): number;
  slopesAt(point: readonly number[]): {
    readonly gradient: readonly number[];
    readonly curvature: readonly (readonly number[])[];
  };
  /** The nearest point that is allowed. */
  within(point: readonly number[]): readonly number[];
}

const mostSteps = 50;
const mostHalvings = 30;
const smallestGain = 1e-10;

/** The lowest point of a convex function, by Newton's method with shorter steps where a whole one does not lead down. */
export function minimise({ lossAt, slopesAt, within }: Convex, start: readonly number[]): readonly number[] {
  let point = within(start);
  let loss = lossAt(point);
  for (let step = 0; step < mostSteps; step++) {
    const { gradient, curvature } = slopesAt(point);
    const direction = solve(curvature, gradient);
    let length = 1;
    let next = point;
    let nextLoss = loss;
    for (let halving = 0; halving < mostHalvings; halving++) {
      const reach = length;
      const tried = within(point.map((value, at) => value - reach * (direction[at] as number)));
      const triedLoss = lossAt(tried);
      if (triedLoss < loss) {
        next = tried;
        nextLoss = triedLoss;
        break;
      }
      length /= 2;
    }
    const gain = loss - nextLoss;
    point = next;
    loss = nextLoss;
    if (gain < smallestGain) break;
  }
  return point;
}

/** The solution of a symmetric, positive system, by elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): readonly number[] {
  const size = values.length;
  const rows = matrix.map((row, at) => [...row, values[at] as number]);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(cell(rows, row, column)) > Math.abs(cell(rows, pivot, column))) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot] as number[], rows[column] as number[]];
    const divisor = cell(rows, column, column) || Number.MIN_VALUE;
    for (let row = column + 1; row < size; row++) {
      const factor = cell(rows, row, column) / divisor;
      const own = rows[row] as number[];
      for (let at = column; at <= size; at++) own[at] = (own[at] as number) - factor * cell(rows, column, at);
    }
  }
  const solution: number[] = Array.from({ length: size }, () => 0);
  for (let row = size - 1; row >= 0; row--) {
    let rest = cell(rows, row, size);
    for (let at = row + 1; at < size; at++) rest -= cell(rows, row, at) * (solution[at] as number);
    solution[row] = rest / (cell(rows, row, row) || Number.MIN_VALUE);
  }
  return solution;
}

function cell(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] as number;
}
