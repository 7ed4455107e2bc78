import { spawnSync } from "node:child_process";

const unattended = { encoding: "utf8", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
const waitForLock = ["-o", "DPkg::Lock::Timeout=600"];

/** Installs Debian's packages, for which it has to be root. */
export function installPackages(...names: string[]): void {
  finishInterruptedInstalls();
  run("apt-get", "install", "-y", "--no-install-recommends", ...waitForLock, ...names);
}

/**
 * An installation that was killed half way makes apt refuse every later one until dpkg has finished it. What hinders dpkg (another
 * installation that is running) is no failure yet: the installation that follows waits for it, or says what is wrong.
 */
export function finishInterruptedInstalls(): void {
  if (process.getuid?.() === 0) spawnSync("dpkg", ["--configure", "-a"], unattended);
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, unattended);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error ?? stderr.slice(-500)}`);
}
