/** The end of a process, as observed by the process that waited for it. */
export interface ProcessEnd {
  /** null: a signal killed it, or its end was not observed. */
  readonly exitCode: number | null;
  /** "SIGTERM"; a signal without a name by its number: "SIG34". */
  readonly signal: string | null;
}

/**
 * The exit code, or 128 plus the number of the signal, as in shells and container engines. null: the end was not
 * observed.
 * Worked examples: code 3 is 3; SIGKILL is 137; SIGTERM is 143; SIG34 is 162.
 */
export function exitCodeOf({ exitCode, signal }: ProcessEnd): number | null {
  if (exitCode !== null) return exitCode;
  const number = signal === null ? null : numberOf(signal);
  return number === null ? null : SIGNALLED + number;
}

const SIGNALLED = 128;

function numberOf(signal: string): number | null {
  const [, unnamed] = /^SIG(\d{1,2})$/.exec(signal) ?? [];
  return unnamed === undefined ? (NUMBERS[signal] ?? null) : Number(unnamed);
}

/** Signals that terminate programs; the numbers are those of every Linux architecture that Node runs on. */
const NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGSTKFLT: 16,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGIO: 29,
  SIGPWR: 30,
  SIGSYS: 31,
};
