import { type Asked, rightText, rulesFor } from './asked.ts';

/** One line of the report. */
export interface Finding {
  /** The subject of the check, such as "server version". */
  readonly check: string;
  /** An error breaks a guarantee of Lifehook; a warning does not. */
  readonly result: 'ok' | 'warning' | 'error';
  readonly found: string;
  /** The next step; required unless the result is ok. */
  readonly next?: string;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const STEP = 1_024;

/** Example: "3.4 GiB" */
export function amount(bytes: number): string {
  const unit = Math.min(
    UNITS.length - 1,
    bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(STEP)),
  );
  const value = bytes / STEP ** unit;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit] ?? ''}`;
}

/** Milliseconds as text, for example "1 min 5 s"; never negative. */
export function span(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

type Unknown = Exclude<Asked<unknown>, { kind: 'known' }>;

/** A warning about a failed request. It names the missing right, or the reason why the server did not answer. */
export function unknownFinding(check: string, what: string, asked: Unknown): Finding {
  switch (asked.kind) {
    case 'refused': {
      const found = `${what} is not known: you may not ${rightText(asked.right)}`;
      return { check, result: 'warning', found, next: grant([asked.right]) };
    }
    case 'absent': {
      const next = 'Install the kind, or upgrade the cluster.';
      return {
        check,
        result: 'warning',
        found: `${what} is not known: the server does not have the kind`,
        next,
      };
    }
    case 'failed': {
      const next =
        'Run `lifehook doctor` again; if this does not change, see the log of the API server.';
      return { check, result: 'warning', found: `${what} is not known: ${asked.why}`, next };
    }
    default:
      return asked satisfies never;
  }
}

/** The next step of a user who lacks these rights. */
export function grant(rights: Parameters<typeof rulesFor>[0]): string {
  return `Ask an administrator to add this rule to one of your roles: ${rulesFor(rights)}`;
}
