/** SNAP-I16: targets in a terminating pod are thawed in time, if nothing delays a controller. */
import { type HookView, tagOf, targetsIn } from './hook-views.ts';
import { type Court, isSlow, isTakenOn, mayBeLate } from './judge.ts';
import type { Termination } from './sim-cluster.ts';

/** Milliseconds that reconciles, requests, and the probe before the thaw may take. */
const AT_ONCE_MS = 4_000;
/** Milliseconds that a thaw waits for each earlier thaw. */
const PATIENCE_MS = 2_000;

export function judgeTerminations(court: Court): void {
  if (isSlow(court) || court.troubles.has('exec')) return;
  for (const termination of court.cluster.terminations) {
    // A node that was lost may have an attempt that is never answered.
    if (termination.graceMs <= 2 * AT_ONCE_MS || court.cluster.everLost.has(termination.node))
      continue;
    for (const view of court.views.all.values()) judgeTermination(court, view, termination);
  }
}

function judgeTermination(court: Court, view: HookView, { podUid, atMs }: Termination): void {
  const tag = tagOf(view.hook);
  if (tag === '' || !court.planOf(tag).thaws || isTakenOn(view)) return;
  const targets = targetsIn(view.hook);
  const limitMs = AT_ONCE_MS + PATIENCE_MS * (targets.length - 1);
  const byMs = atMs + limitMs;
  if (mayBeLate(court, atMs, byMs)) return;
  for (const { podUID, podName, containerName } of targets) {
    if (podUID !== podUid) continue;
    const application = court
      .applications()
      .find(({ is }) => is.podUid === podUid && is.container === containerName);
    const freeze = application?.freezes.find(
      (each) => each.tag === tag && each.beganMs < atMs && (each.endedMs ?? byMs) >= byMs,
    );
    if (freeze === undefined) continue;
    const why = `began to terminate, and was still frozen ${limitMs} ms later`;
    court.world.violate('SNAP-I16', `${podName}/${containerName} of hook ${view.name} ${why}`);
  }
}
