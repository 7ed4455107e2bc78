import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

const stored = fileURLToPath(new URL("../../fixtures/console/", import.meta.url));
const differing = fileURLToPath(new URL("../../../.cache/console/differing/", import.meta.url));

/** The share of pixels that may differ. */
const tolerance = 0.001;

/** Stores the picture as what the screen looks like. */
export function storePicture(name: string, picture: Buffer): void {
  const path = join(stored, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  const { width, height, data } = PNG.sync.read(picture);
  const png = Object.assign(new PNG({ width, height }), { data });
  writeFileSync(path, PNG.sync.write(png, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 }));
}

/** What differs from the stored picture, in words; undefined where it looks the same. What differs is painted in `.cache/console/differing`. */
export function comparePicture(name: string, picture: Buffer): string | undefined {
  const path = join(stored, `${name}.png`);
  if (!existsSync(path)) return `${name}: no picture is stored; make it with PICTURES=1`;
  const [before, after] = [PNG.sync.read(readFileSync(path)), PNG.sync.read(picture)];
  const { width, height } = before;
  if (after.width !== width || after.height !== height) return `${name}: ${after.width} × ${after.height} pixels`;
  const diff = new PNG({ width, height });
  const count = pixelmatch(before.data, after.data, diff.data, width, height, { threshold: 0.2 });
  if (count <= tolerance * width * height) return undefined;
  mkdirSync(differing, { recursive: true });
  writeFileSync(join(differing, `${name}.png`), PNG.sync.write(diff));
  writeFileSync(join(differing, `${name}-now.png`), picture);
  return `${name}: ${count} pixels differ, see .cache/console/differing/${name}.png`;
}
