/**
 * Runs one sync of one artifact: its before hooks, the transfer of the files into every container that runs its image,
 * and its after hooks.
 *
 * - Unless a sync succeeds, the change may be missing in a container. Then the artifact must be rebuilt (`Rebuild`) or,
 *   after a failed hook, the change stays pending. (skaffold drops the change, and the container stays stale.)
 * - Before and after hooks run once per sync, not on each attempt to send.
 */
import type { ByteText, Files } from '../../../platform/platform.ts';
import { joinPaths } from '../config/paths.ts';
import { reportRejection } from '../events/report-rejection.ts';
import { NO_HOOKS } from '../hooks/model.ts';
import { CONTAINER_WAIT_MS } from '../hooks/run-context.ts';
import { runStage, type Stage } from '../hooks/run-stage.ts';
import type { BuiltArtifact, Deployed, PhaseResult, PipelineSession } from '../session.ts';
import { type ContainerRoot, containerRoot, type Instance } from './container-root.ts';
import type { FileChanges, SyncPlan } from './plan-sync.ts';
import type { Archive, Delivery } from './send-files.ts';
import { awaitReceiver, type Sent, sendToAll } from './send-to-all.ts';

export interface SyncWork {
  readonly built: BuiltArtifact;
  readonly deployed: Pick<Deployed, 'namespaces'>;
  readonly changes: FileChanges;
  readonly plan: Extract<SyncPlan, { kind: 'sync' }>;
}

export type SyncResult =
  /** The container instances that have the files. */
  | PhaseResult<ReadonlySet<Instance>>
  /** The containers may have only some of the files. The reason is the end of a sentence. */
  | { readonly outcome: 'Rebuild'; readonly reason: string };

export async function runSync(session: PipelineSession, work: SyncWork): Promise<SyncResult> {
  const { built, changes, deployed } = work;
  const { artifact, image, reference } = built;
  const { emit } = session.hooks;
  const { clock } = session.platform;
  // Before hooks run only if there is a container to sync into.
  const ready = await prepare(session, work);
  if (ready.kind === 'unsyncable') return { outcome: 'Rebuild', reason: ready.reason };
  const begunMs = clock.monotonicMs();
  const fileCount = changes.modified.length + changes.deleted.length;
  const event = { type: 'PhaseEvent', phase: 'sync', subject: image, fileCount } as const;
  emit({ ...event, status: 'InProgress' });
  // An object, since the compiler does not see that a callback below assigns the value.
  const sending: { failed: string | null } = { failed: null };
  const { namespaces } = deployed;
  const stage: Stage<ReadonlySet<Instance>> = {
    hooks: artifact.sync?.hooks ?? NO_HOOKS,
    facts: () => ({
      phase: { kind: 'sync', image: reference, context: artifact.context, ...changes },
      namespaces,
      containers: { namespaces, image: reference, waitMs: CONTAINER_WAIT_MS },
      syncFiles: [...changes.modified, ...changes.deleted].map((path) =>
        path.startsWith(`${artifact.context}/`) ? path.slice(artifact.context.length + 1) : path,
      ),
    }),
    work: async () => {
      const sent = await deliver(session, work, ready.root);
      if (sent.kind === 'sent') return { outcome: 'Succeeded', value: sent.into };
      if (session.hooks.signal.aborted) return INTERRUPTED;
      sending.failed = sent.reason;
      return { outcome: 'Failed', exitCode: 1, message: sent.reason };
    },
  };
  const result = await reportRejection(emit, event, () => runStage(session, stage));
  const durationMs = clock.monotonicMs() - begunMs;
  if (result.outcome === 'Succeeded') emit({ ...event, status: 'Succeeded', durationMs });
  else emit({ ...event, status: 'Failed', message: result.message, durationMs });
  return sending.failed === null ? result : { outcome: 'Rebuild', reason: sending.failed };
}

const INTERRUPTED = {
  outcome: 'Cancelled',
  exitCode: 130,
  message: 'It was interrupted.',
} as const;

/** A placeholder for the root: a sync without absolute paths does not need the container's root. */
const HERE: ContainerRoot = { kind: 'root', path: '.' };

type Prepared =
  /** `root`: the path by which a command in the containers reaches their root. */
  | { readonly kind: 'ready'; readonly root: string }
  /** The reason is the end of a sentence. */
  | { readonly kind: 'unsyncable'; readonly reason: string };

async function prepare(session: PipelineSession, work: SyncWork): Promise<Prepared> {
  const { plan } = work;
  const none = await awaitReceiver(session, work);
  if (none !== null) return { kind: 'unsyncable', reason: none };
  const names = [...plan.deletes, ...plan.copies.map(({ to }) => to)];
  const root = names.some((name) => isAbsolute(name)) ? await containerRoot(session, work) : HERE;
  if (root.kind === 'root') return { kind: 'ready', root: root.path };
  return { kind: 'unsyncable', reason: `a rule has an absolute dest, and ${root.reason}` };
}

async function deliver(session: PipelineSession, work: SyncWork, root: string): Promise<Sent> {
  // The files are read after the before hooks, which may have created them.
  const delivery = await makeDelivery(work.plan, root, session.platform.files);
  if (typeof delivery === 'string') return { kind: 'failed', reason: delivery };
  return sendToAll(session, work, delivery);
}

/** Maximum bytes of all files, since the archive is kept in memory. A larger change requires a build. */
const MAX_SYNC_BYTES = 67_108_864;

/**
 * Reads the files and builds the archive. `root`: the path of the container's root. Returns the end of a sentence if
 * the files cannot be sent.
 */
async function makeDelivery(
  { copies, deletes }: Extract<SyncPlan, { kind: 'sync' }>,
  root: string,
  files: Pick<Files, 'read' | 'stat'>,
): Promise<Delivery | string> {
  const entries: TarEntry[] = [];
  let bytes = 0;
  for (const { from, to } of copies) {
    const found = await files.stat(from).catch(() => null);
    if (found?.kind !== 'file') return `${from} is no longer a file`;
    bytes += found.size;
    if (bytes > MAX_SYNC_BYTES) return `the changed files have more than ${MAX_SYNC_BYTES} bytes`;
    entries.push({ name: to, mode: found.mode, content: await files.read(from) });
  }
  const below = entries.filter(({ name }) => isAbsolute(name));
  return {
    archives: [
      { folder: root, pieces: packed(below.map((one) => ({ ...one, name: one.name.slice(1) }))) },
      { folder: '.', pieces: packed(entries.filter(({ name }) => !isAbsolute(name))) },
    ].filter(({ pieces }) => pieces.length > 0),
    deletes: deletes.map((path) => (isAbsolute(path) ? joinPaths(root, path) : path)),
  };
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

function packed(entries: readonly TarEntry[]): Archive['pieces'] {
  return entries.length === 0 ? [] : tarBytes(entries);
}

export interface TarEntry {
  /** A relative path without "..": the receiver decides the directory. */
  readonly name: string;
  /** Permission bits. */
  readonly mode: number;
  readonly content: ByteText;
}

const BLOCK = 512;
const NAME_BYTES = 100;
const LONG_NAME = '././@LongLink';

/**
 * Makes a tar archive that every tar in a container can read: with old headers, and with the long names of GNU, since
 * busybox knows no others. Names are UTF-8. Owners and times are omitted, since they would be those of this machine.
 * The returned pieces are the consecutive bytes of the archive. It has no directories: the receiver creates them. Pure.
 */
export function tarBytes(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer>[] {
  const pieces = entries.flatMap(({ name, mode, content }) => {
    const file = member({ name: encode(name), mode, type: '0' }, bytesOf(content));
    return encode(name).length > NAME_BYTES ? [...longName(name), ...file] : file;
  });
  // Two empty blocks mark the end of the archive.
  return [...pieces, new Uint8Array(2 * BLOCK)];
}

interface Header {
  readonly name: Uint8Array;
  readonly mode: number;
  readonly type: '0' | 'L';
}

function longName(name: string): Uint8Array<ArrayBuffer>[] {
  return member({ name: encode(LONG_NAME), mode: 0, type: 'L' }, encode(`${name}\0`));
}

function member(header: Header, content: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const padding = (BLOCK - (content.length % BLOCK)) % BLOCK;
  return [headerOf(header, content.length), content, new Uint8Array(padding)];
}

/** Offsets of the fields are those of POSIX.1-1988. */
function headerOf({ name, mode, type }: Header, size: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  block.set(name.subarray(0, NAME_BYTES), 0);
  block.set(octal(mode, 7), 100);
  block.set(octal(0, 7), 108);
  block.set(octal(0, 7), 116);
  block.set(octal(size, 11), 124);
  block.set(octal(0, 11), 136);
  // While the checksum is computed, its own eight bytes count as blanks.
  block.fill(' '.charCodeAt(0), 148, 156);
  block.set(encode(type), 156);
  block.set(encode('ustar  \0'), 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return block;
}

function octal(value: number, digits: number): Uint8Array {
  return encode(`${value.toString(8).padStart(digits, '0')}\0`);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function bytesOf(content: ByteText): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(content.length);
  for (let at = 0; at < content.length; at += 1) bytes[at] = content.charCodeAt(at);
  return bytes;
}
