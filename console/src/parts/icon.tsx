/** Paths on a 24 × 24 grid, drawn as lines. */
const paths = {
  home: "M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-5v-6h-4v6H5a1 1 0 0 1-1-1z",
  pulse: "M3 12h4l3-8 4 16 3-8h4",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  chart: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  gauge: "M12 14l4-5M4 18a9 9 0 1 1 16 0",
  key: "M15 7a4 4 0 1 1-3.5 6L4 20.5V17h3v-3h2l2.5-2.5A4 4 0 0 1 15 7zM16 10h.01",
  folder: "M3 7a1 1 0 0 1 1-1h5l2 2h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z",
  building: "M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3",
  chat: "M4 5h16v11H9l-5 4z",
  route: "M6 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 17h6a4 4 0 0 0 4-4V9",
  heart: "M12 20s-7-4.5-7-10a4 4 0 0 1 7-2.5A4 4 0 0 1 19 10c0 5.500-7 10-7 10z",
  cpu: "M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4",
  archive: "M4 8h16v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM3 4h18v4H3zM10 12h4",
  server: "M4 4h16v6H4zM4 14h16v6H4zM8 7h.01M8 17h.01",
  disk: "M4 13h16v6H4zM4 13l3-8h10l3 8M16 16h.01",
  network: "M12 9V5M5 19v-4h14v4M12 15V9M9 5h6M3 19h4M17 19h4M10 9h4",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  layers: "M12 3l9 5-9 5-9-5zM3 13l9 5 9-5",
  shield: "M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6z",
  bucket: "M4 6h16l-2 14H6zM4 6a8 2 0 0 1 16 0",
  badge:
    "M12 3l2.500 2 3.200-.3.500 3.200L21 10l-1.500 2.800L20 16l-3.200.7L15 19.500 12 18l-3 1.500-1.800-2.800L4 16l.5-3.200L3 10l2.800-2.100.5-3.200 3.200.3z",
  users:
    "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20a6.500 6.500 0 0 1 13 0M16 4.500a3.500 3.500 0 0 1 0 6.500M17.500 14a6.500 6.500 0 0 1 4 6",
  user: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0",
  history: "M4 12a8 8 0 1 1 2.500 5.800M4 6v5h5M12 8v4l3 2",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  sliders: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  palette:
    "M12 3a9 9 0 1 0 0 18c1.500 0 2-1 1.500-2-.8-1.500.3-3 2-3H18a3 3 0 0 0 3-3c0-5-4-10-9-10zM8 10h.01M12 7h.01M16 9h.01",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  settings:
    "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 2v4M12 18v4M4.500 4.500l3 3M16.500 16.500l3 3M2 12h4M18 12h4M4.500 19.500l3-3M16.500 7.500l3-3",
  sparkles: "M12 4l1.800 5.200L19 11l-5.200 1.800L12 18l-1.800-5.200L5 11l5.200-1.800zM19 3v4M17 5h4",
  square: "M5 5h14v14H5z",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12l5 5 9-10",
  alert: "M12 4l9 16H3zM12 10v4M12 17h.01",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
  refresh: "M20 12a8 8 0 1 1-2.500-5.800M20 4v4h-4",
  right: "M9 6l6 6-6 6",
  left: "M15 6l-6 6 6 6",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.500 1.500M17.500 17.500L19 19M5 19l1.500-1.500M17.500 6.500L19 5",
  exit: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  menu: "M4 7h16M4 12h16M4 17h16",
  play: "M7 4l13 8-13 8z",
  stop: "M6 6h12v12H6z",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
} as const;

export type IconName = keyof typeof paths;

/** True for a name that has a picture: the gateway names icons of its own. */
export function isIcon(name: string | undefined): name is IconName {
  return name !== undefined && Object.hasOwn(paths, name);
}

/** A picture next to a word; it says nothing by itself. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
