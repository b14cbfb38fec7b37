/** Computes when the parts of a stop must end, from what really happened. Without side effects. */
import type { Probe } from 'kubernetes-types/core/v1.js';

import type { Life, Pending, PodAccount, RunAccount, Stop, Reported } from './account.ts';

export interface Bounds {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Milliseconds for a clock drift of 1 % over the longest grace period. */
const DRIFT_MS = 500;

/** Bounds for the end of the grace period of this stop. */
export function graceBounds(account: PodAccount, run: RunAccount, stop: Stop): Bounds {
  const { reported } = account.life;
  const before = reported.slice(0, stop.reportedBefore);
  const later = reported.slice(stop.reportedBefore);
  const first = before.length === 0 ? ownGrace(account, run, stop) : all(before, stop);
  const bounds = later.map((one) => promised(one, one.atMs));
  return {
    fromMs: Math.min(first.fromMs, ...bounds.map(({ fromMs }) => fromMs)),
    toMs: Math.min(first.toMs, ...bounds.map(({ toMs }) => toMs)),
  };
}

/** Bounds for a deletion: the deadline in the API, and at most the grace period from now on. */
function promised({ askedMs, graceSeconds, clockWasSet }: Reported, fromMs: number): Bounds {
  const graceMs = graceSeconds * 1_000;
  if (clockWasSet) return { fromMs, toMs: fromMs + graceMs };
  const endMs = Math.min(fromMs + graceMs, Math.max(fromMs, askedMs + graceMs + 1_000 + DRIFT_MS));
  return { fromMs: Math.min(fromMs + graceMs, askedMs + graceMs - DRIFT_MS), toMs: endMs };
}

/**
 * The bounds of a stop with several reported grace periods. If the clock was set since a report, it has moved the
 * deadline that the API gave.
 */
function all(reported: readonly Reported[], { beganMs, clockSettings }: Stop): Bounds {
  const bounds = reported.map((one) =>
    promised({ ...one, clockWasSet: clockSettings > one.clockSettings }, beganMs),
  );
  return {
    fromMs: Math.min(...bounds.map((one) => one.fromMs)),
    toMs: Math.min(...bounds.map((one) => one.toMs)),
  };
}

/**
 * Bounds for any other cause: the pod's grace period, which all of its containers share, or that of the failed probe
 * (POD-K12).
 */
function ownGrace(account: PodAccount, run: RunAccount, stop: Stop): Bounds {
  const { spec } = run;
  const { podGraceSeconds, runs } = account;
  const stops = runs.flatMap((one) => one.stops).filter(({ life }) => life === stop.life);
  // A container that was being started when the deadline passed begins to stop later, with the rest of the grace
  // period.
  const begins = [account.life.deadlineAtMs ?? Infinity, ...stops.map(({ beganMs }) => beganMs)];
  const firstMs = Math.min(...begins);
  const failed = stop.why === 'probe' ? failedProbe(account, run) : null;
  if (failed !== null) {
    const graceMs = (failed.terminationGracePeriodSeconds ?? podGraceSeconds) * 1_000;
    return { fromMs: stop.beganMs + graceMs, toMs: stop.beganMs + graceMs };
  }
  const graces = [spec.livenessProbe, spec.startupProbe].map(
    (probe) => probe?.terminationGracePeriodSeconds ?? podGraceSeconds,
  );
  const seconds = [podGraceSeconds, ...graces];
  return {
    fromMs: firstMs + Math.min(...seconds) * 1_000,
    toMs: stop.beganMs + Math.max(...seconds) * 1_000,
  };
}

function failedProbe({ life }: PodAccount, { rows, spec }: RunAccount): Probe | null {
  const kinds = ['startup', 'liveness'] as const;
  const failed = kinds.find((kind) => rows.get(`${life.pid}/${kind}`)?.verdict === false);
  return (failed === undefined ? null : spec[`${failed}Probe`]) ?? null;
}

const NEVER: Bounds = { fromMs: Infinity, toMs: Infinity };

/** Bounds for the end of the preStop hook, if no grace period limits it. */
export function hookBounds(account: PodAccount, run: RunAccount, stop: Stop): Bounds {
  const { beganMs } = stop;
  const atOnce = { fromMs: beganMs, toMs: beganMs };
  const { exec, httpGet, sleep } = run.spec.lifecycle?.preStop ?? {};
  if (account.life.ledgerFailed) return { fromMs: beganMs, toMs: Infinity };
  if (sleep !== undefined) return sleepBounds(account, run, stop);
  if (exec === undefined && httpGet === undefined) return atOnce;
  return callBounds(account, run, atOnce);
}

function callBounds(account: PodAccount, run: RunAccount, atOnce: Bounds): Bounds {
  const intent = account.intents.get(`${run.id}/preStop`);
  const call = run.calls.find(({ point }) => point === 'preStop');
  if (isOther(call, account.life) || (call === undefined && isOther(intent, account.life)))
    return atOnce;
  if (call === undefined || call.endedMs === null || call.cut) return NEVER;
  return { fromMs: call.endedMs, toMs: call.endedMs };
}

/** True if this call or intent began in another life of the node, so that this life did not see its end. */
function isOther(of: { readonly life: number } | undefined, { pid }: Life): boolean {
  return of !== undefined && of.life !== pid;
}

function sleepBounds(account: PodAccount, run: RunAccount, { beganMs }: Stop): Bounds {
  const intent = account.intents.get(`${run.id}/preStop`);
  const seconds = run.spec.lifecycle?.preStop?.sleep?.seconds ?? 0;
  if (intent === undefined) return NEVER;
  const endMs = intent.atMs + seconds * 1_000;
  const { pid } = account.life;
  if (intent.life === pid) return { fromMs: endMs, toMs: endMs };
  // An earlier life ended the sleep when the grace period was over.
  if (![null, pid].includes(intent.settledIn)) return { fromMs: beganMs, toMs: beganMs };
  if (account.world.clockSettings > intent.clockSettings) {
    return { fromMs: beganMs, toMs: beganMs + seconds * 1_000 };
  }
  return { fromMs: endMs - DRIFT_MS, toMs: Math.max(beganMs, endMs + DRIFT_MS) };
}

/**
 * Bounds for TERM to a sidecar: the containers that it waits for have exited. A start in progress may still give a
 * process, so the sidecar may wait for that too.
 */
export function turnBounds(account: PodAccount, run: RunAccount, stop: Stop): Bounds {
  const { containers, runs, pending, life } = account;
  const place = containers.findIndex(({ spec }) => spec.name === run.container);
  const later = containers.slice(place + 1).filter(({ role }) => role !== 'init');
  const names =
    stop.why === 'pod' && run.role === 'sidecar' ? later.map(({ spec }) => spec.name) : [];
  const lastEnd = (of: readonly (RunAccount | Pending)[]): number =>
    Math.max(
      stop.beganMs,
      ...of
        .filter(({ container }) => names.includes(container))
        .map(({ endedMs }) => endedMs ?? Infinity),
    );
  const fromMs = lastEnd(runs);
  const starts = pending.filter((one) => one.life === life.pid);
  return { fromMs, toMs: Math.max(fromMs, lastEnd(starts)) };
}
