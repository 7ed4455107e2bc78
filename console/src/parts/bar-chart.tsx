import type { ComponentChildren } from "preact";

/** One bar of stacked parts. */
export interface Bar {
  readonly id: string;
  readonly label: string;
  /** The value of each series, in the order of the series. */
  readonly parts: readonly number[];
}

interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly series: readonly string[];
  readonly format: (value: number) => string;
  readonly height?: number;
  /** The address of what a bar sums. */
  readonly hrefOf?: (bar: Bar) => string;
}

const width = 1000;
const left = 64;
const bottom = 22;

/** Stacked bars over time. The page shows the same numbers as a table below it. */
export function BarChart({ label, bars, series, format, height = 240, hrefOf }: BarChartProps) {
  const sums = bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0));
  const top = niceTop(Math.max(...sums, 0));
  const plot = height - bottom - 8;
  const step = (width - left) / Math.max(bars.length, 1);
  const y = (value: number) => 8 + plot - (value / top) * plot;
  const labelled = Math.ceil(bars.length / 12);
  return (
    <figure class="stack">
      <svg class="chart" viewBox={`0 0 ${width} ${height}`} role={hrefOf ? "group" : "img"} aria-label={label}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line class="grid" x1={left} x2={width} y1={y(share * top)} y2={y(share * top)} />
            <text x={left - 8} y={y(share * top) + 4} text-anchor="end">
              {format(share * top)}
            </text>
          </g>
        ))}
        {bars.map((bar, at) => (
          <g key={bar.id}>
            <title>{`${bar.label}: ${format(sums[at] ?? 0)}`}</title>
            <Linked href={hrefOf?.(bar)} label={`${bar.label}: ${format(sums[at] ?? 0)}`}>
              <Stack bar={bar} x={left + at * step + step * 0.12} width={step * 0.76} y={y} />
            </Linked>
            {at % labelled === 0 && (
              <text x={left + (at + 0.5) * step} y={height - 4} text-anchor="middle">
                {bar.label}
              </text>
            )}
          </g>
        ))}
      </svg>
      {series.length > 1 && <Legend series={series} />}
    </figure>
  );
}

function Linked(props: {
  readonly href: string | undefined;
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  const { href, label, children } = props;
  return href === undefined ? (
    children
  ) : (
    <a href={href} aria-label={label}>
      {children}
    </a>
  );
}

function Stack({ bar, x, width: size, y }: { bar: Bar; x: number; width: number; y: (value: number) => number }) {
  let below = 0;
  return (
    <>
      {bar.parts.map((part, position) => {
        const base = below;
        below += part;
        const height = y(base) - y(below);
        if (height <= 0) return null;
        return (
          <rect key={position} class={seriesClass(position)} x={x} y={y(below)} width={size} height={height} rx="1.5" />
        );
      })}
    </>
  );
}

/** The colour of a series; all behind the seventh share the last one. */
function seriesClass(position: number): string {
  return `series-${Math.min(position, 7) + 1}`;
}

function Legend({ series }: { readonly series: readonly string[] }) {
  return (
    <figcaption class="legend">
      {series.map((name, position) => (
        <span key={name}>
          <i class={`swatch ${seriesClass(position)}`} aria-hidden="true" />
          {name}
        </span>
      ))}
    </figcaption>
  );
}

/** The next 1, 2, 2.5 or 5 × 10ⁿ: an axis that can be read. */
function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const found = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= value);
  return (found ?? 10) * power;
}
