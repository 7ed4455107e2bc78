import type { Reporter } from "vitest/node";

/** When a run counts as standing still, and who is told. */
export interface StalledOptions {
  /** Milliseconds in which no test ended. */
  readonly quietMs: number;
  readonly tell: (line: string) => void;
}

/** A vitest reporter that names the files under way whenever no test has ended for so long: dots alone do not say what stands still. */
export function tellStalled({ quietMs, tell }: StalledOptions): Reporter {
  const underWay = new Map<string, string>();
  const look = () => {
    const files = [...underWay].map(([file, last]) => `${file} (${last})`).join(", ");
    tell(`\nno test has ended for ${quietMs / 1000} s; under way: ${files || "no file"}\n`);
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    onTestRunStart() {
      timer = setInterval(look, quietMs);
      timer.unref();
    },
    onTestModuleStart: ({ relativeModuleId }) => void underWay.set(relativeModuleId, "none has ended"),
    onTestModuleEnd: ({ relativeModuleId }) => void underWay.delete(relativeModuleId),
    onTestCaseResult({ module, name }) {
      underWay.set(module.relativeModuleId, `last: ${name}`);
      timer?.refresh();
    },
    onTestRunEnd: () => clearInterval(timer),
  };
}
