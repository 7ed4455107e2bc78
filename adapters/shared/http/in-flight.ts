/** Counts exchanges on their way, so that closing can wait for them and for nothing else. */
export interface InFlightCounter {
  begin(): void;
  end(): void;
  /** Resolves as soon as no exchange is on its way. */
  ended(): Promise<void>;
}

export function inFlightCounter(): InFlightCounter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    begin() {
      running += 1;
    },
    end() {
      running -= 1;
      if (running === 0) for (const resolve of waiting.splice(0)) resolve();
    },
    ended: () =>
      new Promise((resolve) => {
        if (running === 0) resolve();
        else waiting.push(resolve);
      }),
  };
}
