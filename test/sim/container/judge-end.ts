/** Judges the state at the end of a command, and at the end of the seed. */
import {
  readSpool,
  type HookRecord,
} from '../../../src/lifecycles/container/hook-runs/read-spool.ts';
import type { Point } from '../../../src/lifecycles/container/life/container.ts';
import type { Files } from '../../../src/platform/platform.ts';
import {
  type Account,
  type Creation,
  describeExit,
  endedWell,
  findRun,
  type HookRun,
  ROOT,
  SPOOL,
} from './account.ts';
import type { Command } from './commands.ts';
import { nameOf } from './judge-hook.ts';
import { bundleOf } from './plan.ts';

/** Judges a command that has ended. */
export function judgeCommand(account: Account, { verb, id, creation, outcome }: Command): void {
  if (outcome === null) return;
  const isBroken = outcome.startsWith('broke') && account.isCalm();
  account.require(!isBroken, 'OCI-L1', () => `${verb} ${id} ${outcome}`);
  if (verb === 'create' && creation !== null) judgeCreate(account, creation, outcome);
  const deletes = verb === 'delete' || verb === 'force delete';
  if (deletes && outcome === 'done') judgeDelete(account, id);
}

/** OCI-D1, OCI-D3: judges the container after its `create`. */
function judgeCreate(account: Account, creation: Creation, outcome: string): void {
  const name = `create ${creation.id} (${creation.n})`;
  if (outcome === 'done') {
    for (const point of CREATE_POINTS) judgeDone(account, creation, point);
    account.require(creation.recorded, 'OCI-D1', () => `${name} is done, and there is no record`);
    return;
  }
  if (!account.isCalm()) return;
  const isThere = account.current.get(creation.id) === creation && !creation.deleted;
  account.require(!isThere, 'OCI-D1', () => `${name} was ${outcome}, and the container is there`);
  const lives = creation.held?.alive === true;
  account.require(!lives, 'OCI-D1', () => `${name} was ${outcome}, and its process lives`);
}

const CREATE_POINTS = ['precreate', 'prestart', 'createRuntime', 'createContainer'] as const;

function judgeDone(account: Account, creation: Creation, point: Point): void {
  for (const index of creation.plan.hooks[point].keys()) {
    const run = findRun(creation, point, index);
    const isGood = run !== undefined && endedWell(creation, run);
    account.require(
      isGood,
      'OCI-D1',
      () => `create is done without ${nameOf(creation, { point, index })}`,
    );
  }
}

/** OCI-K2: after a successful delete, no process of the container is left. */
function judgeDelete(account: Account, id: string): void {
  if (!account.isCalm()) return;
  for (const { id: of, n, deleted, held } of account.creations) {
    const isLeft = of === id && deleted && held?.alive === true;
    account.require(!isLeft, 'OCI-K2', () => `${id} (${n}) is deleted, and its process lives`);
  }
}

/** Call after the faults have ended and every container was deleted. */
export async function judgeAll(account: Account, files: Files): Promise<void> {
  for (const creation of account.creations) {
    judgePoststops(account, creation);
    judgePostexits(account, creation);
  }
  judgeLeftovers(account);
  const records = await readSpool(files, SPOOL, { limit: 10_000 });
  for (const creation of account.creations) {
    for (const run of creation.hooks) judgeRecord(account, creation, { run, records });
  }
  for (const { bundle, stage, index, result } of records) {
    if (result?.outcome !== 'Succeeded') continue;
    const creation = account.ofBundle(bundle);
    const run = creation?.hooks.find((one) => one.point === stage && one.index === index);
    if (run === undefined)
      account.world.violate(
        'OCI-R1',
        `${stage} #${index} of ${bundle} is recorded as succeeded, and never began`,
      );
  }
}

/** OCI-O4: each poststop hook of a container ran. */
function judgePoststops(account: Account, creation: Creation): void {
  const { plan, recorded, hooks, intents, disturbed, id, n } = creation;
  for (const index of plan.hooks.poststop.keys()) {
    const ran = hooks.some((run) => run.point === 'poststop' && run.index === index);
    const name = nameOf(creation, { point: 'poststop', index });
    if (!recorded && ran)
      account.world.violate('OCI-O4', `${name} ran, and ${id} (${n}) never was a container`);
    if (!recorded || ran) continue;
    // The command was killed, or the disk failed, after the intent was written and before the hook started.
    if (disturbed && intents.has(`poststop ${index}`)) continue;
    account.world.violate('OCI-O4', `${name} never ran`);
  }
}

/** OCI-O7: each postexit hook ran if the program was started. */
function judgePostexits(account: Account, creation: Creation): void {
  const { plan, recorded, releasedMs, hooks, intents, disturbed } = creation;
  if (!recorded || releasedMs === null) return;
  for (const index of plan.hooks.postexit.keys()) {
    const ran = hooks.some((run) => run.point === 'postexit' && run.index === index);
    const mayBeLost = disturbed && intents.has(`postexit ${index}`);
    const name = nameOf(creation, { point: 'postexit', index });
    account.require(ran || mayBeLost, 'OCI-O7', () => `${name} never ran`);
  }
}

/** OCI-K2: no process and no file is left at the end. */
function judgeLeftovers(account: Account): void {
  const { host, world, creations } = account;
  for (const { argv, pid } of host.processes.values()) {
    if (argv[0] === 'daemon' || argv[0] === 'other') continue;
    world.violate('OCI-K2', `process ${pid} (${argv.join(' ').slice(0, 100)}) is left`);
  }
  const left = host.tree.below(ROOT).filter((path) => path !== ROOT);
  const isNormal = creations.every(({ disturbed }) => !disturbed);
  const bad = left.filter((path) => isNormal || !path.startsWith(`${ROOT}/.deleted-`));
  if (bad.length > 0) world.violate('OCI-K2', `${bad.join(', ')} is left`);
}

interface Recorded {
  readonly run: HookRun;
  readonly records: readonly HookRecord[];
}

/** OCI-R1: the record of a hook is true. */
function judgeRecord(account: Account, creation: Creation, { run, records }: Recorded): void {
  const name = nameOf(creation, run);
  const mine = records.filter(
    ({ bundle, stage, index }) =>
      bundle === bundleOf(creation.n) && stage === run.point && index === run.index,
  );
  account.require(mine.length <= 1, 'OCI-R1', () => `${name} has ${mine.length} records`);
  const outcome = mine[0]?.result?.outcome ?? 'none';
  const isSeen = outcome !== 'none' && outcome !== 'Unknown';
  account.require(
    isSeen || creation.disturbed,
    'OCI-R1',
    () => `${name} is recorded as ${outcome}`,
  );
  const isOpen = mine[0] !== undefined && outcome === 'none';
  account.require(!isOpen, 'OCI-R1', () => `${name} is recorded as running`);
  const wrong = endedWell(creation, run) ? 'Failed' : 'Succeeded';
  const how = describeExit(run.process.exit);
  account.require(
    outcome !== wrong,
    'OCI-R1',
    () => `${name} is recorded as ${outcome}, and ${how}`,
  );
}
