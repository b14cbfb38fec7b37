/** The events of lifecycles and controllers as a structured log: one JSON object a line. */
import { type Logger, pino } from 'pino';

import type { ControllerEvent } from '../controller/controller-event.ts';
import type { ObservedEvent } from './observed-event.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface EventLog {
  readonly observe: (event: ObservedEvent) => void;
  readonly observeController: (event: ControllerEvent) => void;
}

/** Maximum characters that wait for a full disk; more are dropped. */
const WAITING_MAX = 1_048_576;

/**
 * Makes a log on standard output, unless another descriptor is given. Never throws: lines that cannot be written wait
 * for the next line.
 */
export function makeEventLog(
  level: LogLevel,
  descriptor: number = STDOUT,
): EventLog & { readonly logger: Logger } {
  const format = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const to = { dest: descriptor, sync: true, maxLength: WAITING_MAX };
  const destination = pino.destination(to).on('error', () => undefined);
  const logger = pino(format, destination);
  return {
    logger,
    observe: (event) => {
      logEvent(logger, event);
    },
    observeController: ({ type, ...facts }) => {
      if (type === 'PassStarted' || type === 'PassEnded') logPass(logger, { type, ...facts });
      else logger[levelOf(type)](facts, type);
    },
  };
}

const STDOUT = 1;

const WARNINGS = new Set([
  'ThawOverdue',
  'ThawUnproven',
  'ScheduleOverdue',
  'WatchInterrupted',
  'KindNotServed',
  'LeadershipLost',
  'LeaseTroubled',
  'PassOverdue',
  'EventDropped',
  'GateBypassed',
]);

function levelOf(type: string): 'info' | 'warn' {
  return WARNINGS.has(type) ? 'warn' : 'info';
}

/** Logs the events of the controllers. Commands print their events themselves. */
function logEvent(logger: Logger, { lifecycle, detail }: ObservedEvent): void {
  const { type, ...facts }: { readonly type: string } = detail;
  // Not logged: StatusKept contains a whole status and is for metrics. If the server rejects a status, that is a
  // separate event.
  if (type !== 'StatusKept') logger[levelOfDetail(detail)]({ lifecycle, ...facts }, type);
}

/**
 * The log level of an event of a lifecycle. A proven gate is logged only at debug level, since the gate is tested every
 * minute.
 */
function levelOfDetail(detail: { type: string; armed?: boolean }): 'debug' | 'info' | 'warn' {
  if (detail.type !== 'GateProven') return levelOf(detail.type);
  return detail.armed === true ? 'debug' : 'warn';
}

/** Logs a failed reconcile as a warning, and all other reconciles at debug level. */
function logPass(logger: Logger, { type, ...facts }: { type: string; outcome?: Failure }): void {
  const { outcome } = facts;
  if (outcome?.kind !== 'retry' && outcome?.kind !== 'terminal') logger.debug(facts, type);
  else logger.warn({ ...facts, outcome: outcome.kind, error: String(outcome.error) }, type);
}

interface Failure {
  readonly kind: string;
  readonly error?: unknown;
}
