// Makes or restores a backup over a store and a folder, and kills itself at the beginning of a phase. Its parent looks at what is left.
import { type BackupPhase, local } from "../../adapters/clouds/local/index.ts";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { backupJob, restoreTargets, settingsOf } from "./local-backup-settings.ts";

const [folder = "", work = "", fatal = ""] = process.argv.slice(2);
const store = sqliteStore(`${folder}/store.db`);
let seen = 0;
const onPhase = (phase: BackupPhase) => {
  if (phase === fatal) seen += 1;
  const isReached = phase !== "reading" && phase !== "writing" ? seen === 1 : seen === 3;
  if (phase === fatal && isReached) process.kill(process.pid, "SIGKILL");
};
const { backups } = local({ ...settingsOf(folder), records: store.records, onPhase });
const call = { signal: new AbortController().signal, now: Date.now() };
const made = await backups.create(backupJob, call);
const target = restoreTargets[work as keyof typeof restoreTargets];
if (target !== undefined) await backups.restore(made.snapshot, target, call);
await store.close();
