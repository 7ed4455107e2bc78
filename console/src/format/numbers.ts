/** A count with separators. */
export function count(value: number, language = "en"): string {
  return new Intl.NumberFormat(language).format(value);
}

/** A count in few characters: `12.4k`, `3.1M`. */
export function compact(value: number, language = "en"): string {
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** A share of one as percent. */
export function percent(share: number, language = "en"): string {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 }).format(
    share,
  );
}

/** Milliseconds as people say them: `840 ms`, `2.4 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}

/** Bytes as people say them, in units of 1,024: `512 B`, `3.4 MiB`. */
export function bytes(size: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let value = size;
  let unit = 0;
  while (Math.abs(value) >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
