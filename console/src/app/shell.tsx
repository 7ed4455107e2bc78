import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client.ts";
import { freshFor, useQuery } from "../api/query.ts";
import { type CallerContext, chooseRegion, regions, signOut } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { language, languages, loadLanguage, loadTenantTexts, text, textOf } from "../i18n/texts.ts";
import { createKeyListener } from "../palette/shortcuts.ts";
import { Button } from "../parts/button.tsx";
import { Select } from "../parts/field.tsx";
import { Icon, type IconName, isIcon } from "../parts/icon.tsx";
import { hasOwnScreen, isReachable, navGroups } from "./nav.ts";
import { useNotificationStream } from "./notification-stream.ts";
import { applyTheme, prefer, preferences } from "./preferences.ts";
import { go, hrefOf, useLocation } from "./router.ts";
import { Screens } from "./routes.tsx";
import { SessionWatch } from "./session-watch.tsx";
import { TenantSelect, useTenantSearch } from "./tenant-select.tsx";
import { Brand } from "./theme/brand.tsx";

/** The frame of every screen: the menu, the bar on top, and the screen itself. */
export function Shell({ context }: { readonly context: CallerContext }) {
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [overlay, setOverlay] = useState<"palette" | "sheet">();
  const parts = useOverlays();
  useEffect(() => {
    const listener = createKeyListener({
      openPalette: () => setOverlay("palette"),
      openSheet: () => setOverlay("sheet"),
      go,
      create: () => go("ai/keys", { create: "1" }),
    });
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {text("action.skip")}
      </a>
      <Nav path={path} isOpen={isOpen} onClose={() => setOpen(false)} />
      <TopBar context={context} onMenu={() => setOpen(!isOpen)} onSearch={() => setOverlay("palette")} />
      <main id="main" tabIndex={-1}>
        <SessionWatch />
        <Screens path={path} />
      </main>
      {overlay && parts && <Overlay parts={parts} name={overlay} onOpen={setOverlay} />}
    </div>
  );
}

type Overlays = typeof import("../palette/overlays.ts");

/** The palette and the sheet of shortcuts: loaded when the first screen is there, so that no key is lost. */
function useOverlays(): Overlays | undefined {
  const [parts, setParts] = useState<Overlays>();
  useEffect(() => {
    const timer = setTimeout(() => void import("../palette/overlays.ts").then(setParts, () => {}), 300);
    return () => clearTimeout(timer);
  }, []);
  return parts;
}

interface OverlayProps {
  readonly parts: Overlays;
  readonly name: "palette" | "sheet";
  readonly onOpen: (name?: "sheet") => void;
}

function Overlay({ parts, name, onOpen }: OverlayProps) {
  const listed = useListed();
  if (name === "sheet") return <parts.ShortcutSheet onClose={() => onOpen()} />;
  return <parts.Palette listed={listed} onSheet={() => onOpen("sheet")} onClose={() => onOpen()} />;
}

/** What opens the palette. */
const paletteKeys = "Ctrl K";

interface MenuItem {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
}

function Nav({ path, isOpen, onClose }: { path: string; isOpen: boolean; onClose: () => void }) {
  const groups = useMenu();
  const tenant = useTenantSearch();
  return (
    <nav class="nav" aria-label={text("console.menu")} data-open={isOpen} onClick={onClose} onKeyDown={() => {}}>
      <Brand />
      {groups.map(([label, items]) => (
        <div key={label}>
          <div class="nav-group">{label}</div>
          <ul>
            {items.map((item) => (
              <li key={item.path}>
                <a
                  class="nav-link"
                  href={hrefOf(item.path, tenant)}
                  aria-current={isCurrent(path, item.path) ? "page" : undefined}
                >
                  <Icon name={item.icon} />
                  {item.label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function isCurrent(path: string, own: string): boolean {
  return path === own || (own !== "" && path.startsWith(`${own}/`));
}

function useDashboardMenu() {
  return useQuery({
    key: ["dashboards.menu"],
    read: (signal) => api.dashboards.menu({}, signal),
    staleMs: freshFor.catalogue,
  });
}

/** The dashboards that have no screen of our own, for the palette. */
function useListed() {
  const items = (useDashboardMenu().value ?? []).flatMap(
    (group) => group.items as readonly { readonly label: string; readonly path: string }[],
  );
  return items.filter(({ path }) => !hasOwnScreen(path)).map(({ label, path }) => ({ label, path: `d/${path}` }));
}

/** The menu's own places that the caller may open, then the dashboards that the gateway lists next to them. */
function useMenu(): readonly (readonly [label: string, items: readonly MenuItem[]])[] {
  const menu = useDashboardMenu();
  const groups = new Map<string, MenuItem[]>();
  for (const [group, places] of navGroups)
    groups.set(
      group,
      places.filter(isReachable).map(({ path, name, icon }) => ({ path, icon, label: text(name) })),
    );
  for (const { label, items } of menu.value ?? []) {
    const known = groups.get(label) ?? [];
    for (const item of items as readonly { label: string; path: string; icon?: string }[]) {
      if (hasOwnScreen(item.path)) continue;
      known.push({ path: `d/${item.path}`, label: textOf(item.label), icon: isIcon(item.icon) ? item.icon : "square" });
    }
    groups.set(label, known);
  }
  return [...groups].filter(([, items]) => items.length > 0).map(([label, items]) => [textOf(label), items]);
}

interface TopBarProps {
  readonly context: CallerContext;
  readonly onMenu: () => void;
  readonly onSearch: () => void;
}

function TopBar({ context, onMenu, onSearch }: TopBarProps) {
  const { theme } = useStore(preferences);
  const isDark = theme === "dark" || (!theme && window.matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <header class="topbar">
      <span class="menu-toggle">
        <Button tone="quiet" icon="menu" label={text("console.menu")} onPress={onMenu} />
      </span>
      <div class="place">{placeOf(context)}</div>
      <TenantSelect />
      <span class="topbar-space" />
      <button type="button" class="button search-button" onClick={onSearch}>
        <Icon name="search" />
        <span class="search-text">{text("action.search")}</span>
        <kbd class="wide-only">{paletteKeys}</kbd>
      </button>
      <UnreadBell />
      <RegionSelect active={context.region.code} />
      <span class="wide-only">
        <Select
          label={text("label.language")}
          value={language()}
          choices={Object.entries(languages)}
          onChange={(lang) => {
            prefer({ language: lang });
            void loadLanguage().then(loadTenantTexts);
          }}
        />
      </span>
      <Button
        tone="quiet"
        icon={isDark ? "sun" : "moon"}
        label={text("console.theme")}
        onPress={() => {
          prefer({ theme: isDark ? "light" : "dark" });
          applyTheme();
        }}
      />
      <span class="soft wide-only">{context.user.username ?? context.user.id}</span>
      <Button tone="quiet" icon="exit" label={text("action.sign_out")} onPress={() => void signOut()} />
    </header>
  );
}

/** How many notifications are unread; opens them. */
function UnreadBell() {
  const isAllowed = isReachable({ row: "notifications.list" });
  const isFollowed = useNotificationStream(isReachable({ row: "notifications.stream" }));
  const unread = useQuery({
    key: ["notifications.list", true],
    read: (signal) => api.notifications.list({ unread: true }, signal),
    ...(isFollowed ? {} : { everyMs: 60_000 }),
    isEnabled: isAllowed,
  });
  const count = unread.value?.length ?? 0;
  if (!isAllowed || count === 0) return null;
  return (
    <a class="button button-quiet" href={hrefOf("notifications", { unread: "1" })}>
      <Icon name="bell" />
      <span class="visually-hidden">{`${text("message.unread")}: `}</span>
      {count}
    </a>
  );
}

/** The region, where there are several. */
function RegionSelect({ active }: { readonly active: string }) {
  const known = useStore(regions);
  if (known.length < 2) return null;
  const choices = known.map(({ code, name }) => [code, name] as const);
  const choose = (region: string) => void chooseRegion(region);
  return <Select label={text("label.region")} value={active} choices={choices} onChange={choose} />;
}

/** Where the caller stands in the tree of tenants, and in which region. */
function placeOf({ client, reseller, region }: CallerContext) {
  const levels = [reseller.name, client.name ?? client.id].filter((level) => level !== null && level !== undefined);
  return (
    <>
      <Icon name="building" />
      <strong>{levels.length === 0 ? text("label.provider") : levels.join(" / ")}</strong>
      <span class="faint wide-only">· {region.code}</span>
    </>
  );
}
