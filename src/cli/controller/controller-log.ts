/** What the controllers tell, as structured logs: one JSON object per line. */
import { type Logger, pino } from 'pino';

import type { ControllerEvent } from '../../controller/controller-event.ts';
import type { RolloutEvent } from '../../lifecycles/rollout/rollout-event.ts';
import type { SnapshotEvent } from '../../lifecycles/snapshot/snapshot-event.ts';
import type { LOG_LEVELS } from './commands.ts';

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface ControllerLog {
  readonly observe: (event: SnapshotEvent) => void;
  readonly observeRollout: (event: RolloutEvent) => void;
  readonly observeController: (event: ControllerEvent) => void;
}

/** To the standard output, unless another descriptor is said. */
export function makeControllerLog(
  level: LogLevel,
  descriptor: number = STDOUT,
): ControllerLog & { readonly logger: Logger } {
  const format = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = pino(format, pino.destination({ dest: descriptor, sync: true }));
  return {
    logger,
    observe: ({ type, ...facts }) => {
      // A whole status, for metrics; that the server refuses it is an event.
      if (type !== 'StatusKept') logger[levelOf(type)](facts, type);
    },
    observeRollout: ({ type, ...facts }) => {
      logger[levelOfRollout({ type, ...facts })](facts, type);
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

/** The gate is tried each minute: that it holds is no news. */
function levelOfRollout(event: { type: string; armed?: boolean }): 'debug' | 'info' | 'warn' {
  if (event.type !== 'GateProven') return levelOf(event.type);
  return event.armed === true ? 'debug' : 'warn';
}

/** A pass that has failed is told; the others are of interest to who debugs. */
function logPass(logger: Logger, { type, ...facts }: { type: string; outcome?: Failure }): void {
  const { outcome } = facts;
  if (outcome?.kind !== 'retry' && outcome?.kind !== 'terminal') logger.debug(facts, type);
  else logger.warn({ ...facts, outcome: outcome.kind, error: String(outcome.error) }, type);
}

interface Failure {
  readonly kind: string;
  readonly error?: unknown;
}
