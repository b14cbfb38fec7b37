/**
 * The container lifecycle with the process runner on a simulated machine. Commands, supervisors and runners are
 * processes that may be killed at any change. Disks fill and fail, the power is lost, clocks are set, commands run in
 * parallel, and hooks misbehave. After the faults end, it must be possible to delete every container. (Invariants:
 * account.ts.)
 */
import {
  type ContainerView,
  listContainers,
  viewContainer,
} from '../../../src/lifecycles/container/life/query.ts';
import type { Faults } from '../faults.ts';
import { filesOf } from '../host/host-files.ts';
import type { SimResult } from '../lifecycles.ts';
import { Random } from '../random.ts';
import { World } from '../world.ts';
import { judgeAll } from './judge-end.ts';
import { lifeOf } from './own-programs.ts';
import { POINTS } from './plan.ts';
import { Stand } from './stand.ts';
import { endFaults, PLAY_MS, planFaults, planUsers, throwTroubles } from './troubles.ts';

export async function simulateContainer(
  seed: number,
  trace?: (line: string) => void,
  faults?: Faults,
): Promise<SimResult> {
  const random = new Random(seed);
  const world = new World(trace, faults);
  const stand = new Stand(world, random);
  world.faults.focusOn(FOCI, random.fork('focus'));
  const troubles = throwTroubles(random.fork('troubles'));
  planUsers(stand, troubles, random.fork('users'));
  planFaults(stand, troubles, random.fork('faults'));
  planLooks(stand, random.fork('looks'));
  await stand.pass(PLAY_MS);
  if (world.violation === null) await deleteAll(stand);
  if (world.violation === null) await judgeRecords(stand);
  return { violation: world.violation, traceHash: world.traceHash };
}

/** Phases in which the faults may be concentrated. Some of them are short. */
const FOCI = ['creating', 'created', 'starting', 'running', 'deleting', ...POINTS] as const;

/** Milliseconds; longer than the deadline of any hook. */
const REST_MS = 6_000;

function planLooks(stand: Stand, dice: Random): void {
  const times = dice.between(1, 3);
  for (let time = 0; time < times; time += 1) {
    stand.world.after(dice.between(0, PLAY_MS), () => void look(stand));
  }
}

/** OCI-R2: another process can read the status of every container, and it is true. */
async function look(stand: Stand): Promise<void> {
  const { host, world, account } = stand;
  const observer = stand.startOther();
  const life = lifeOf(host, observer, () => undefined);
  for (const view of await listContainers(life)) {
    if (view.state.status !== 'unknown') continue;
    world.violate('OCI-R2', `${view.state.id} cannot be looked at: ${JSON.stringify(view)}`);
  }
  for (const [id, creation] of account.current) {
    const ran = creation.phase === 'running';
    const view = await viewContainer(life, id).catch(() => null);
    const isSame = account.current.get(id) === creation && !creation.disturbed;
    if (ran && isSame) judgeRunning(world, view);
    const begun = account.creations.some((one) => one.id === id && one.releasedMs !== null);
    if (view?.state.status !== 'running' || begun) continue;
    world.violate('OCI-R2', `${id} is reported to run, and no program of it ever began`);
  }
  host.kill(observer);
}

/** OCI-R2: a container whose program has begun is reported as running or stopped. */
function judgeRunning(world: World, view: ContainerView | null): void {
  const { id, status } = view?.state ?? { id: '', status: 'stopped' };
  if (status === 'running' || status === 'stopped') return;
  world.violate('OCI-R2', `${id} runs, and is reported as ${status}`);
}

/** OCI-D2: after any history, delete removes the container. */
async function deleteAll(stand: Stand): Promise<void> {
  endFaults(stand);
  await stand.pass(REST_MS);
  endHanging(stand);
  for (const id of new Set(stand.commands.map((command) => command.id))) {
    if (stand.world.violation === null) await deleteForGood(stand, id);
  }
  await stand.pass(REST_MS);
}

/** The user kills hanging hooks without a deadline, and commands that still wait for a program. */
function endHanging(stand: Stand): void {
  const { host } = stand;
  for (const process of host.processes.values()) {
    const [name] = process.argv;
    if (!process.alive || (name !== 'hook' && name !== 'lifehook')) continue;
    stand.disturbAll();
    host.kill(process);
  }
}

async function deleteForGood(stand: Stand, id: string): Promise<void> {
  const command = stand.command('force delete', id);
  const outcome = await stand.ended(command);
  if (command.process.alive) stand.world.violate('OCI-L1', `force delete ${id} does not end`);
  if (outcome === 'done' || outcome === 'LHC211') return;
  stand.world.violate('OCI-D2', `force delete ${id} ends with ${outcome}`);
}

async function judgeRecords(stand: Stand): Promise<void> {
  const files = filesOf(stand.host, stand.startOther());
  let over = false;
  judgeAll(stand.account, files).then(
    () => (over = true),
    (error: unknown) => {
      stand.world.violate('OCI-R1', `the records cannot be read: ${String(error)}`);
    },
  );
  await stand.until(() => over);
}
