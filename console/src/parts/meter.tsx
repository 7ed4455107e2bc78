import { percent } from "../format/numbers.ts";
import { language } from "../i18n/texts.ts";

/** How much of something is used: the bar turns amber at 80 % and red at its end. */
export function Meter({ used, max, label }: { readonly used: number; readonly max: number; readonly label: string }) {
  const share = max === 0 ? 1 : Math.min(1, used / max);
  const level = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "good";
  return (
    <svg class="meter" data-level={level} role="img" aria-label={`${label}: ${percent(share, language())}`}>
      <rect x="0" y="0" height="6" width={`${Math.max(share * 100, share > 0 ? 1 : 0)}%`} />
    </svg>
  );
}
