/** The longest time that the machine's own timers know, in milliseconds: 24.8 days. They fire at once for any longer one. */
export const longestTimer = 2 ** 31 - 1;
