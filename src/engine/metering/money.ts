/** An amount: whole billionths of a US dollar (10⁻⁹). All sums are kept in these, exactly. */
export type NanoDollars = number;

/**
 * A rate: whole trillionths of a US dollar (10⁻¹²) per unit, so that one step is a millionth of a dollar per million tokens, finer
 * than any public price.
 */
export type PicoDollars = number;

const picoPerDollar = 1e12;
const nanoPerDollar = 1e9;
/** Rates per amount. */
export const picoPerNano = 1_000;

/** The largest rate, a thousand dollars per unit: up to there {@link toRate} is exact. */
export const largestRate: PicoDollars = 1e15;
/** Units up to which {@link multiply} is exact. */
const largestQuantity = 2 ** 40;

/**
 * The exact rate that a price in dollars per unit stands for. The nearest double of any decimal with up to twelve digits behind the
 * point gives that decimal; finer prices are rounded to the nearest step. Throws a RangeError for what is not a price: negative, not
 * finite, over 1,000 dollars, or above zero and yet less than half a step.
 */
export function toRate(dollarsPerUnit: number): PicoDollars {
  const rate = Math.round(dollarsPerUnit * picoPerDollar);
  if (!(dollarsPerUnit >= 0 && rate <= largestRate) || (rate === 0 && dollarsPerUnit > 0))
    throw new RangeError(`${dollarsPerUnit} dollars per unit is not a price that bills can keep`);
  return rate;
}

/**
 * What `quantity` units cost: quantity × rate, rounded half up to a nano-dollar, the only rounding there is. Throws a RangeError
 * when the quantity is not a whole number up to 2⁴⁰, or the amount is 2⁵³ nano-dollars (nine million dollars) or more.
 */
export function multiply(quantity: number, rate: PicoDollars): NanoDollars {
  if (!(Number.isInteger(quantity) && quantity >= 0 && quantity <= largestQuantity))
    throw new RangeError(`${quantity} is not a quantity that can be billed`);
  // Split, so that no product passes 2⁵³: whole nano-dollars per unit, and the picos that are left.
  const nanos = Math.floor(rate / picoPerNano);
  const picos = rate - nanos * picoPerNano;
  return checkAmount(quantity * nanos + Math.floor((quantity * picos + picoPerNano / 2) / picoPerNano));
}

/** The sum of two amounts. Throws a RangeError past 2⁵³ nano-dollars, where integers stop being exact. */
export function add(a: NanoDollars, b: NanoDollars): NanoDollars {
  return checkAmount(a + b);
}

function checkAmount(amount: number): NanoDollars {
  if (!Number.isSafeInteger(amount)) throw new RangeError("the amount is beyond what can be counted in nano-dollars");
  return amount;
}

/** The amount as JSON shows it: dollars. */
export function toDollars(amount: NanoDollars): number {
  return amount / nanoPerDollar;
}

/** The amount that a number of dollars stands for, to the nearest nano-dollar; the inverse of {@link toDollars}. */
export function fromDollars(dollars: number): NanoDollars {
  return checkAmount(Math.round(dollars * nanoPerDollar));
}

/** A rate in dollars per unit, the number that {@link toRate} came from. */
export function toDollarsPerUnit(rate: PicoDollars): number {
  return rate / picoPerDollar;
}
