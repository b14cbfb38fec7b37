import type { Mutant } from '../mutants.ts';

const HOOK = 'src/lifecycles/snapshot/hook';
const APP = 'src/lifecycles/snapshot/app';

/** Each breaks one promise of the snapshot lifecycle in the smallest way. */
export const snapshotMutants: readonly Mutant[] = [
  {
    name: 'what failed to freeze is not thawed',
    file: `${HOOK}/targets.ts`,
    text: `  return isIssued(target) && !isThawed(target);`,
    by: `  return isIssued(target) && !isThawed(target) && preOutcome(target) !== false;`,
    breaks: ['I8', 'I1', 'I9'],
  },
  {
    name: 'the intent is written when the command is on its way',
    file: `${HOOK}/drive.ts`,
    text: `  const recorded = await recordStatus(driving, { stored, status });`,
    by: `  beginOrders(orders, { room, key, hook, resolved, decidedMs, mayAct: pass.mayAct });
  const recorded = await recordStatus(driving, { stored, status });`,
    breaks: ['I3', 'I8'],
  },
  {
    name: 'a cut is believed that the storage only promises',
    file: `${APP}/cut.ts`,
    text: `const isCut = signal === 'creationTime' ? creationTime !== undefined : readyToUse === true;`,
    by: `const isCut = creationTime !== undefined || (signal !== 'creationTime' && readyToUse === true);`,
    breaks: ['I2'],
  },
  {
    name: 'the verdict trusts the times, and not what the hooks have seen',
    file: `${APP}/verdict.ts`,
    text: `  if (worst !== undefined) return worst;`,
    by: `  if (worst !== undefined && Number.isNaN(Date.parse(cutObservedAt))) return worst;`,
    breaks: ['I2'],
  },
  {
    name: 'nobody waits for the freeze of another hook to end',
    file: `${HOOK}/drive.ts`,
    text: `  return isNew ? room.holds`,
    by: `  return isNew && room.hooks === null ? room.holds`,
    breaks: ['I9', 'I15'],
  },
  {
    name: 'what a hook freezes is held only when that is durable',
    file: `${HOOK}/drive.ts`,
    text: `room.holds.update(holderOf(key, hook), [...targetsOf(stored), ...after])`,
    by: `room.holds.update(holderOf(key, hook), targetsOf(stored))`,
    breaks: ['I9', 'I15'],
  },
  {
    name: 'the finalizer goes as soon as the thaw is asked for',
    file: `${HOOK}/targets.ts`,
    text: `  return targets.every((target) => !isHeld(target) && !isOpen(target.preActionStatus));`,
    by: `  return targets.every((target) => !isOpen(target.preActionStatus));`,
    breaks: ['I8'],
  },
  {
    name: 'a freeze never expires',
    file: `${HOOK}/decide-release.ts`,
    text: `  return restMs !== null && restMs <= 0 ? releaseAt('Expired', nowMs) : null;`,
    by: `  return restMs !== null && restMs <= -1e9 ? releaseAt('Expired', nowMs) : null;`,
    breaks: ['I5', 'I2'],
  },
  {
    name: 'an end that nobody saw counts as success',
    file: `${HOOK}/settle-attempts.ts`,
    text: `  return { endedAtMs, outcome: 'Unknown', exitCode: null, reason, output: '', probes: [] };`,
    by: `  return { endedAtMs, outcome: 'Succeeded', exitCode: 0, reason, output: '', probes: [] };`,
    breaks: ['I13', 'I8', 'I6'],
  },
  {
    name: 'hooks may go before what they tell is kept',
    file: `${APP}/made-objects.ts`,
    text: `finalizers: [EVIDENCE_FINALIZER]`,
    by: `finalizers: []`,
    breaks: ['End', 'I2'],
  },
  {
    name: 'a freeze is made again though nobody saw the end of the first',
    file: `${HOOK}/records.ts`,
    text: `const again = idempotent === true && session === undefined;`,
    by: `const again = idempotent !== false && session === undefined;`,
    breaks: ['I13'],
  },
  {
    name: 'hooks are thawed in the order in which they froze',
    file: `${APP}/thaw-order.ts`,
    text: `hooks.toReversed()`,
    by: `hooks`,
    breaks: ['I11', 'I2'],
  },
  {
    name: 'more is frozen on a node where a thaw has failed',
    file: `${HOOK}/hold-registry.ts`,
    text: `      if (nodeName === undefined) continue;`,
    by: `      if (nodeName !== '') continue;`,
    breaks: ['I15'],
  },
  {
    name: 'volumes are cut when the first hook has frozen',
    file: `${APP}/decide-freeze.ts`,
    text: `  if (next === undefined) return { kind: 'requestCut' };`,
    by: `  if (next === undefined || index > 0) return { kind: 'requestCut' };`,
    breaks: ['I12'],
  },
  {
    name: 'what was made for a snapshot that has failed stays',
    file: `${APP}/decide-end.ts`,
    text: `  if (snapshots.length + groups.length === 0) return null;`,
    by: `  if (snapshots.length + groups.length < 9) return null;`,
    breaks: ['End'],
  },
  {
    name: 'one thaw at a time',
    file: `${HOOK}/attempts.ts`,
    text: `export const THAWS_AT_ONCE = 512;`,
    by: `export const THAWS_AT_ONCE = 1;`,
    breaks: ['I15', 'I5'],
    seeds: 1_000,
  },
  {
    name: 'each thaw waits for its own probe alone',
    file: `${HOOK}/decide.ts`,
    text: `mustWait: release?.cause === 'Cut' };`,
    by: `mustWait: false };`,
    breaks: ['I2'],
    seeds: 200,
  },
  {
    name: 'a hook asks its probe when another hook may be thawed',
    file: `${APP}/ask-hooks.ts`,
    text: `  if (hooks.length < 2) return null;`,
    by: `  if (hooks.length < 99) return null;`,
    breaks: ['I2'],
    seeds: 200,
  },
  {
    name: 'a controller that does not elect acts next to a leader',
    file: 'src/controller/lease.ts',
    text: `      this.#refuseRenewed(lease);
      return null;`,
    by: `      if (this.#options.whenHeld !== 'refuse') return null;
      const { clock } = this.#options.platform;
      return { lease, proof: { monotonicMs: clock.monotonicMs(), wallMs: clock.nowMs() } };`,
    breaks: ['I14'],
    seeds: 200,
  },
  {
    name: 'a postAction runs where nothing was started',
    file: `${HOOK}/decide-thaw.ts`,
    text: `!hasThaw(shared.resolved) || isUnstarted(target.preActionStatus)`,
    by: `!hasThaw(shared.resolved) || target === undefined`,
    breaks: ['I4'],
    seeds: 200,
  },
];
