/** Nano-dollars of a dollar amount, exact for what the gateway sends: amounts with up to nine decimals. */
export function toNano(dollars: number): bigint {
  if (!Number.isFinite(dollars)) return 0n;
  return BigInt(Math.round(Math.abs(dollars) * 1e9)) * (dollars < 0 ? -1n : 1n);
}

/** The amount with all its decimals, without zeros behind: `$0.000021`. */
export function exactMoney(dollars: number): string {
  const nano = toNano(dollars);
  const size = nano < 0n ? -nano : nano;
  const decimals = (size % 1_000_000_000n).toString().padStart(9, "0").replace(/0+$/, "").padEnd(2, "0");
  return `${nano < 0n ? "−" : ""}$${size / 1_000_000_000n}.${decimals}`;
}

/** The amount for a table: cents from a cent on, four significant digits below, `<$0.000001` for what is less. */
export function money(dollars: number, language = "en"): string {
  const size = Math.abs(dollars);
  if (size === 0) return "$0";
  if (size < 1e-6) return "<$0.000001";
  const digits =
    size >= 0.995
      ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      : size >= 0.01
        ? { minimumFractionDigits: 2, maximumFractionDigits: 4 }
        : { maximumSignificantDigits: 3 };
  const written = new Intl.NumberFormat(language, digits).format(size);
  return `${dollars < 0 ? "−" : ""}$${written}`;
}
