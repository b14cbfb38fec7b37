/** OCI-O5: judges the input of a hook, except the status and the pid of the state JSON. */
import type { Account, Creation, HookRun } from './account.ts';
import { bundleOf } from './plan.ts';

const OWN = ['LIFEHOOK_CONTAINER_ID', 'LIFEHOOK_STAGE'];
const OF_EXIT = ['LIFEHOOK_EXIT_CODE', 'LIFEHOOK_EXIT_SIGNAL'];
/** Version of the OCI runtime specification in the state JSON. */
const VERSION = /^1\.\d+\.\d+/;

export function judgeSurroundings(account: Account, creation: Creation, given: Given): void {
  const { run, name } = given;
  const { plan, n } = creation;
  const { point, index, process } = run;
  const secret = plan.hooks[point][index]?.hasSecret === true ? ['API_TOKEN'] : [];
  const wanted = [...secret, ...OWN, ...(point === 'postexit' ? OF_EXIT : [])];
  const names = Object.keys(process.env).toSorted();
  account.require(names.join() === wanted.toSorted().join(), 'OCI-O5', () => {
    return `${name} is given the variables ${names.join(', ')} instead of ${wanted.join(', ')}`;
  });
  const isInside = point === 'createContainer' || point === 'startContainer';
  const directory = isInside ? `${bundleOf(n)}/rootfs` : bundleOf(n);
  account.require(process.cwd === directory, 'OCI-O5', () => {
    return `${name} begins in ${process.cwd} instead of ${directory}`;
  });
  if (point !== 'precreate') judgeState(account, creation, given);
}

interface Given {
  readonly run: HookRun;
  readonly name: string;
}

function judgeState(account: Account, { n }: Creation, { run, name }: Given): void {
  const { stdin } = run.process;
  const { ociVersion, bundle, annotations } = JSON.parse(stdin) as Record<string, unknown>;
  const isWhole =
    VERSION.test(String(ociVersion)) &&
    bundle === bundleOf(n) &&
    JSON.stringify(annotations) === JSON.stringify({ n: String(n) });
  account.require(isWhole, 'OCI-O5', () => `${name} is given ${stdin}, which is not its container`);
}
