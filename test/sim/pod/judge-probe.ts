/**
 * Judges the stops that probes and postStart hooks cause:
 *
 *  POD-V5 A container is stopped at once when its probe has failed as often as the threshold says, and not before.
 *  POD-T2 A container is stopped at once when its postStart hook has failed.
 */
import type { Probe } from 'kubernetes-types/core/v1.js';

import type { Life, PodAccount, Row, RunAccount } from './account.ts';

/** Milliseconds within which the node must decide. */
const DECISION_MS = 300;

type Kind = 'startup' | 'liveness' | 'readiness';

export function addProbeResult(
  account: PodAccount,
  run: RunAccount,
  probed: { readonly kind: Kind; readonly ok: boolean; readonly life: Life },
): void {
  const { kind, ok, life } = probed;
  const probe = run.spec[`${kind}Probe`];
  const stopping = run.stops.some((stop) => stop.life === life.pid);
  if (probe === undefined || stopping || run.endedMs !== null || !life.alive) return;
  const key = `${life.pid}/${kind}`;
  const row = nextRow(run.rows.get(key), ok, probe);
  run.rows.set(key, row);
  if (kind === 'startup' && ok) run.startupPassed = true;
  if (kind !== 'readiness' && row.verdict === false) expectStop(account, run, 'POD-V5');
}

function nextRow(before: Row | undefined, ok: boolean, probe: Probe): Row {
  const length = before?.last === ok ? before.length + 1 : 1;
  const threshold = ok ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
  const verdict = length >= threshold ? ok : (before?.verdict ?? null);
  return { verdict, length, last: ok };
}

/** Expects a stop of the run, unless its container exits, the pod terminates or the node is killed before that. */
export function expectStop(account: PodAccount, run: RunAccount, invariant: string): void {
  const { world, life } = account;
  world.after(DECISION_MS, () => {
    const stopping = run.stops.some((stop) => stop.life === life.pid);
    if (!life.alive || run.endedMs !== null || stopping || isTerminating(account)) return;
    world.violate(invariant, `${run.id} continues, and was to be stopped`);
  });
}

/** Expects stops of runs whose postStart command began in an earlier life of the node, which did not see its end. */
export function expectUnseenStops(account: PodAccount): void {
  const { pid } = account.life;
  for (const run of account.alive()) {
    const call = run.calls.findLast(({ point }) => point === 'postStart');
    const unseen = call !== undefined && call.life !== pid && !call.ok;
    if (unseen && run.spec.lifecycle?.postStart?.exec !== undefined) {
      expectStop(account, run, 'POD-T2');
    }
  }
}

/** The converse of POD-V5: a container is not stopped without a reason. */
export function judgeReason(account: PodAccount, run: RunAccount): void {
  const { life, world } = account;
  // If the record of a hook could not be written, the hook counts as failed.
  const doubtful = life.ledgerFailed || hookUnseen(run, life);
  if (doubtful || isTerminating(account) || !account.postStartDone(run)) return;
  if (!hasFailed(run, life)) world.violate('POD-V5', `${run.id} is stopped without a reason`);
}

function hasFailed({ rows }: RunAccount, { pid }: Life): boolean {
  return ['startup', 'liveness'].some((kind) => rows.get(`${pid}/${kind}`)?.verdict === false);
}

/** True if the node may have been killed just when the hook ended, so that the record of its end may be missing. */
function hookUnseen({ calls }: RunAccount, { pid }: Life): boolean {
  return calls.some(({ point, life }) => point === 'postStart' && life !== pid);
}

/** True if the pod terminates, or may terminate: the clock decides whether its deadline has passed. */
function isTerminating(account: PodAccount): boolean {
  const { life, pod } = account;
  const never = pod.spec?.restartPolicy === 'Never';
  const begun = account
    .alive()
    .some((run) => run.role === 'main' && !(never && hasFailed(run, life)));
  return life.reported.length > 0 || pod.spec?.activeDeadlineSeconds !== undefined || !begun;
}
