/** Observes a container: its files, and which of its processes are alive. */
import { LifehookError } from '../../../model/problem.ts';
import { procTable, type ProcessIdentity } from '../../../store/process-table.ts';
import type { Observed } from '../decide.ts';
import { runnerOf } from '../runners/oci-runner.ts';
import { readPart, type ContainerFolder, notFound } from './container-folder.ts';
import type { Life } from './life.ts';

export function folderOf({ platform: { files }, root }: Life, id: string): ContainerFolder {
  checkContainerId(id);
  return { path: `${root}/${id}`, files };
}

/** null: the container does not exist, or its creation was interrupted before the container was recorded. */
export async function observe(life: Life, id: string): Promise<Observed | null> {
  const folder = folderOf(life, id);
  const [container, phase, report, exit] = await Promise.all([
    readPart(folder, 'container'),
    readPart(folder, 'phase'),
    readPart(folder, 'report'),
    readPart(folder, 'exit'),
  ]);
  if (container === null || phase === null) return null;
  const { process, supervisor } = report?.kind === 'started' ? report : noProcesses;
  const doer = 'by' in phase ? phase.by : null;
  const processAlive = await isAlive(life, process);
  return {
    container,
    phase,
    interrupted: doer !== null && !(await isAlive(life, doer)),
    report,
    process: processAlive ? process : null,
    supervisorAlive: await isAlive(life, supervisor),
    held: processAlive && (await isHeld(life, { container, phase, process })),
    exit,
  };
}

const noProcesses = { process: null, supervisor: null };

interface Holding extends Pick<Observed, 'container' | 'phase'> {
  readonly process: ProcessIdentity | null;
}

/**
 * Queries the runner only in the phase "starting", since only then the answer is open, and a query may start a process.
 */
async function isHeld(life: Life, { container, phase, process }: Holding): Promise<boolean> {
  if (process === null || phase.name !== 'starting') return false;
  try {
    return await runnerOf(life, container.runner).isHeld(container, process);
  } catch (error) {
    // An error of the runtime must not prevent delete. It counts as "not held", since the program may have started.
    if (error instanceof LifehookError) return false;
    throw error;
  }
}

export async function requireContainer(life: Life, id: string): Promise<Observed> {
  const observed = await observe(life, id);
  if (observed !== null) return observed;
  throw notFound(life, folderOf(life, id));
}

async function isAlive({ platform }: Life, identity: ProcessIdentity | null): Promise<boolean> {
  return identity !== null && procTable(platform.files).isAlive(identity);
}

/** Maximum length of an id. File names contain the id and further parts, and have at most 255 bytes. */
const ID_MAX_CHARACTERS = 128;

const idPattern = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;

/** runc's characters; the first is not a dot (our own files), dash (an option) or plus. Throws a LifehookError. */
export function checkContainerId(id: string): void {
  if (id.length <= ID_MAX_CHARACTERS && idPattern.test(id)) return;
  throw new LifehookError({
    code: 'LHC210',
    message: `A container's id must be 1 to ${ID_MAX_CHARACTERS} letters, digits, "_", "+", "-" or ".", and begin with a letter, a digit or "_"; ${JSON.stringify(id)} does not.`,
    next: 'Choose another id.',
  });
}
