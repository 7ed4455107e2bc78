import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { installPackages } from "../../support/packages.ts";

const executables = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"];

/** The font of the stored pictures. */
const font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

/** Opens Debian's Chromium without a window, which it installs where it is missing: the stage must not pass without a browser. */
export async function openBrowser(): Promise<Browser> {
  if (findBrowser() === undefined || !existsSync(font)) installPackages("chromium", "fonts-dejavu-core");
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("No Chromium is installed: apt-get install -y chromium");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

function findBrowser(): string | undefined {
  return executables.find((path) => path !== undefined && existsSync(path));
}

/** A page, and what went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Violations of the content security policy, errors of the console and failed scripts, as texts. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** Runs in the page, whose types are not those of Node. */
const noteViolations = `document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
  console.error("policy: " + violatedDirective + " " + blockedURI);
});`;

interface PageOptions {
  readonly colors?: "light" | "dark";
  readonly width?: number;
  readonly locale?: string;
  /** Pixels of the screen for one of the page: 2 with half the width is 200 % zoom. */
  readonly scale?: number;
  /** True where the test itself adds styles, which the policy forbids. */
  readonly isPolicyOff?: boolean;
}

/** Opens a page in a context of its own that notes violations of the policy and errors. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const { colors = "light", width = 1440, locale = "en-US", scale = 1, isPolicyOff = false } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    deviceScaleFactor: scale,
    colorScheme: colors,
    locale,
    timezoneId: "UTC",
    reducedMotion: "reduce",
    bypassCSP: isPolicyOff,
  });
  const faults: string[] = [];
  await context.addInitScript(noteViolations);
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) faults.push(text);
  });
  return { page, faults, close: () => context.close() };
}
