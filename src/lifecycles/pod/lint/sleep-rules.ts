/** Lint rules for sleeps. Pure. */
import { fieldsAt, listAt, numberAt, textAt } from '../../../kube/fields.ts';
import { MINIMUM_GRACE_SECONDS } from '../grace.ts';
import {
  DEFAULT_GRACE_SECONDS,
  DRAIN_ANNOTATION,
  type Finding,
  type LintSettings,
} from './hooks-in.ts';
import type { LintedHook } from './hooks-in.ts';

/** The first minor version in which the sleep action is on by default. */
const SLEEP_MINOR = 30;
/** The first minor version that knows the sleep action, behind a feature gate that is off by default. */
const SLEEP_ALPHA_MINOR = 29;
/** The first minor version that allows a sleep of 0, behind a feature gate that is off by default. */
const ZERO_ALPHA_MINOR = 32;
/** The first minor version in which a sleep of 0 is allowed by default. */
const ZERO_MINOR = 33;

export function sleepRules(linted: LintedHook, settings: LintSettings): readonly Finding[] {
  const { hook, path, where } = linted;
  if (hook['sleep'] === undefined) {
    return [...execSleepRule(linted, settings), ...execGraceRule(linted)];
  }
  const at = [...path, 'sleep', 'seconds'];
  const seconds = numberAt(fieldsAt(hook['sleep'])['seconds']);
  if (seconds === undefined || !Number.isInteger(seconds) || seconds < 0) {
    const received = JSON.stringify(fieldsAt(hook['sleep'])['seconds'] ?? null);
    return [
      {
        code: 'LHP001',
        severity: 'error',
        path: at,
        message: `${where}: sleep.seconds must be a whole number of 0 or more, but is ${received}.`,
        next: 'Write the number of seconds.',
      },
    ];
  }
  return [
    ...serverRules({ at, seconds, where }, settings),
    ...graceRules({ at, seconds }, linted, settings),
  ];
}

interface Sleep {
  readonly at: Finding['path'];
  readonly seconds: number;
  readonly where: string;
}

function serverRules({ at, seconds, where }: Sleep, { serverMinor }: LintSettings): Finding[] {
  if (serverMinor === null || serverMinor >= ZERO_MINOR) return [];
  if (serverMinor < SLEEP_MINOR) {
    const how =
      serverMinor < SLEEP_ALPHA_MINOR
        ? 'does not know the sleep action and drops it without a message'
        : 'drops the sleep action unless the feature gate PodLifecycleSleepAction is on';
    return [
      {
        code: 'LHP002',
        severity: 'warning',
        path: at,
        message: `${where}: a 1.${serverMinor} server ${how}, so the container gets TERM at once.`,
        next: `Use exec with ["sleep", "${seconds}"] until all servers are 1.${SLEEP_MINOR} or later.`,
      },
    ];
  }
  if (seconds > 0) return [];
  const unless =
    serverMinor < ZERO_ALPHA_MINOR
      ? ''
      : ' unless the feature gate PodLifecycleSleepActionAllowZero is on';
  return [
    {
      code: 'LHP003',
      severity: 'warning',
      path: at,
      message: `${where}: a 1.${serverMinor} server refuses a sleep of 0${unless}.`,
      next: 'Leave the hook out, or write 1.',
    },
  ];
}

function graceRules(
  { at, seconds }: Omit<Sleep, 'where'>,
  linted: LintedHook,
  settings: LintSettings,
): Finding[] {
  const { point, where } = linted;
  const grace = numberAt(linted.podSpec['terminationGracePeriodSeconds']) ?? DEFAULT_GRACE_SECONDS;
  if (seconds > grace) {
    return [
      {
        code: 'LHP004',
        severity: 'error',
        path: at,
        message: `${where}: the sleep of ${seconds} s is longer than terminationGracePeriodSeconds (${grace}), so the API server refuses it.`,
        next: `Raise terminationGracePeriodSeconds to ${seconds} or more, or sleep for less.`,
      },
    ];
  }
  if (point === 'postStart') return [];
  const drain = drainOf(linted, settings);
  const needed = seconds + (drain ?? MINIMUM_GRACE_SECONDS);
  if (needed <= grace) return [];
  const left = Math.max(MINIMUM_GRACE_SECONDS, grace - seconds);
  const wants = drain === null ? 'which is little for any program' : `and needs ${drain}`;
  return [
    {
      code: 'LHP005',
      severity: 'warning',
      path: at,
      message: `${where}: the sleep takes ${seconds} of ${grace} s of grace period, so the program has ${left} s between TERM and KILL, ${wants}.`,
      next: `Raise terminationGracePeriodSeconds to ${needed} or more.`,
    },
  ];
}

function drainOf({ podAnnotations }: LintedHook, { drainSeconds }: LintSettings): number | null {
  const written = Number(podAnnotations[DRAIN_ANNOTATION] ?? Number.NaN);
  return Number.isFinite(written) ? written : drainSeconds;
}

/**
 * Reports `["sleep", "5"]` and `["sh", "-c", "sleep 5"]`, which need a sleep program in the image. The sleep action
 * needs none.
 */
function execSleepRule(
  { hook, path, where }: LintedHook,
  { serverMinor }: LintSettings,
): Finding[] {
  if (serverMinor !== null && serverMinor < SLEEP_MINOR) return [];
  const command = listAt(fieldsAt(hook['exec'])['command']).map((one) => textAt(one));
  const [, seconds] =
    /^(?:\S*\/)?(?:(?:ba|da|a)?sh -c )?(?:exec )?(?:\S*\/)?sleep (\d+)s?$/.exec(
      command.join(' ').trim(),
    ) ?? [];
  if (seconds === undefined) return [];
  return [
    {
      code: 'LHP006',
      severity: 'warning',
      path: [...path, 'exec', 'command'],
      message: `${where}: this command only sleeps, and the image must have a sleep program for it.`,
      next: `Write sleep: {seconds: ${seconds}} instead of exec (servers from 1.${SLEEP_MINOR} on).`,
    },
  ];
}

/**
 * Reports a command that sleeps at least as long as the grace period. At the end of that period the program gets TERM,
 * although the command runs, and then only the minimum time until KILL (POD-K6).
 */
function execGraceRule({ point, hook, path, podSpec, where }: LintedHook): Finding[] {
  if (point === 'postStart') return [];
  const script = listAt(fieldsAt(hook['exec'])['command'])
    .map((one) => textAt(one))
    .join(' ');
  const sleeps = [...script.matchAll(/\bsleep (\d{1,6})s?(?![\d.mhd])/g)];
  const seconds = sleeps.reduce((sum, [, one]) => sum + Number(one), 0);
  const grace = numberAt(podSpec['terminationGracePeriodSeconds']) ?? DEFAULT_GRACE_SECONDS;
  if (seconds < grace || grace === 0) return [];
  return [
    {
      code: 'LHP007',
      severity: 'warning',
      path: [...path, 'exec', 'command'],
      message: `${where}: this command sleeps for ${seconds} s, and terminationGracePeriodSeconds is ${grace}: the program of the container gets TERM before the command ends, and KILL ${MINIMUM_GRACE_SECONDS} s later.`,
      next: `Raise terminationGracePeriodSeconds above ${seconds}, or sleep for less.`,
    },
  ];
}
