/** Learns from each written file which container has an id, its phase and its exit. Finds secrets in the files. */
import type { HostProcess } from '../host/host-process.ts';
import type { Creation, Account } from './account.ts';
import { ROOT } from './account.ts';
import { expectPassedOn } from './judge-cancel.ts';
import { judgeReport } from './judge-instance.ts';
import { SECRET } from './plan.ts';

interface Written {
  readonly path: string;
  readonly text: string;
  readonly by: HostProcess;
}

export function onContent(account: Account, { path, text, by }: Written): void {
  const place = placeOf(path);
  if (place === null) return;
  const { id, file } = place;
  if (file === 'container.json') {
    const { bundle, instance } = JSON.parse(text) as { bundle: string; instance: string };
    const creation = account.ofBundle(bundle);
    if (creation === undefined) return;
    creation.recorded = true;
    creation.instance = instance;
    creation.phase = 'creating';
    account.current.set(id, creation);
    return;
  }
  const creation = account.current.get(id);
  if (creation === undefined || creation.deleted) return;
  if (file === 'phase.json') {
    creation.phase = (JSON.parse(text) as { name: string }).name;
    expectPassedOn(account, creation);
  }
  if (file === 'report.json') judgeReport(account, creation, by);
  if (file === 'exit.json') takeExit(account, creation, text);
}

/** A delete renames the directory of a container. From then on the container no longer exists. */
export function onRename(account: Account, from: string): void {
  const id = from.startsWith(`${ROOT}/`) ? from.slice(ROOT.length + 1) : '';
  const creation = account.current.get(id);
  if (creation !== undefined) creation.deleted = true;
}

/** OCI-R3: the recorded exit is true and never changes. */
function takeExit(account: Account, creation: Creation, text: string): void {
  const { exitCode, signal } = JSON.parse(text) as {
    exitCode: number | null;
    signal: string | null;
  };
  const { id, held, exitText } = creation;
  const isFirst = exitText === null || exitText === text;
  account.require(isFirst, 'OCI-R3', () => `the exit of ${id} was ${exitText}, and is ${text}`);
  creation.exitText = text;
  account.require(
    held?.exit !== null,
    'OCI-R3',
    () => `the exit of ${id} is recorded while it runs`,
  );
  const isUnseen = exitCode === null && signal === null;
  const { code, signal: by } = held?.exit ?? { code: null, signal: null };
  const isTrue = isUnseen || (code === exitCode && by === signal);
  account.require(isTrue, 'OCI-R3', () => `the exit of ${id} is recorded as ${text}`);
}

/** OCI-S1: no secret is written. Also collects the intents of hooks. */
export function onText(account: Account, path: string, text: string): void {
  const isPlain = path.endsWith('/container.json') || path.endsWith('/config.json');
  if (!isPlain && text.includes(SECRET)) {
    account.world.violate('OCI-S1', `a secret is written to ${path}: ${text.slice(0, 400)}`);
  }
  const place = placeOf(path);
  if (place?.file !== 'journal.jsonl') return;
  const creation = account.current.get(place.id);
  for (const [, step = ''] of text.matchAll(INTENT)) {
    creation?.intents.add(step.replace(' hook #', ' '));
  }
}

const INTENT = /"type":"AttemptStarted"[^{}]*"step":"([^"]*)"/g;

function placeOf(path: string): { readonly id: string; readonly file: string } | null {
  if (!path.startsWith(`${ROOT}/`)) return null;
  const [id = '', ...rest] = path.slice(ROOT.length + 1).split('/');
  return { id, file: rest.at(-1) ?? '' };
}
