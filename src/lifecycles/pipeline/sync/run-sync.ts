/**
 * One sync of one artifact: its hooks before, the files into every container that runs its image, its hooks after.
 *
 * - A change is in every matching container, or the result says that it is not: then the artifact must be rebuilt
 *    (`rebuild`) or, after a failed hook, the change stays pending (2.5: skaffold drops it, and the container stays
 *    stale).
 * - Before and after hooks run once per sync, not on each attempt to send.
 */
import { CONTAINER_WAIT_MS } from '../hooks/run-context.ts';
import { runStage } from '../hooks/run-stage.ts';
import type { BuiltArtifact, Deployed, PhaseResult, PipelineSession } from '../session.ts';
import { type ContainerRoot, containerRoot, type Instance } from './container-root.ts';
import { isAbsolute, makeDelivery } from './make-delivery.ts';
import type { FileChanges, SyncPlan } from './plan-sync.ts';
import { awaitReceiver, type Sent, sendToAll } from './send-to-all.ts';

export interface SyncWork {
  readonly built: BuiltArtifact;
  readonly deployed: Pick<Deployed, 'namespaces'>;
  readonly changes: FileChanges;
  readonly plan: Extract<SyncPlan, { kind: 'sync' }>;
}

export type SyncResult =
  /** The containers that have the files. */
  | PhaseResult<ReadonlySet<Instance>>
  /** The containers may have a part of the files; the reason is the end of a sentence. */
  | { readonly outcome: 'Rebuild'; readonly reason: string };

export async function runSync(session: PipelineSession, work: SyncWork): Promise<SyncResult> {
  const { built, changes, deployed } = work;
  const { artifact, image, reference } = built;
  const { emit } = session.hooks;
  const { clock } = session.platform;
  // Hooks before a sync run only if there is a container to sync into.
  const ready = await prepare(session, work);
  if (ready.kind === 'unsyncable') return { outcome: 'Rebuild', reason: ready.reason };
  const begunMs = clock.monotonicMs();
  const fileCount = changes.modified.length + changes.deleted.length;
  const event = { type: 'PhaseEvent', phase: 'sync', subject: image, fileCount } as const;
  emit({ ...event, status: 'InProgress' });
  // An object, since it is assigned in a callback that the compiler does not follow.
  const sending: { failed: string | null } = { failed: null };
  const { namespaces } = deployed;
  const result = await runStage<ReadonlySet<Instance>>(session, {
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
  });
  const durationMs = clock.monotonicMs() - begunMs;
  if (result.outcome === 'Succeeded') emit({ ...event, status: 'Succeeded', durationMs });
  else emit({ ...event, status: 'Failed', message: result.message, durationMs });
  return sending.failed === null ? result : { outcome: 'Rebuild', reason: sending.failed };
}

const NO_HOOKS = { before: [], after: [], onError: [], finally: [] };
const INTERRUPTED = {
  outcome: 'Cancelled',
  exitCode: 130,
  message: 'It was interrupted.',
} as const;

/** Used if no path is absolute: the root is not needed then. */
const HERE: ContainerRoot = { kind: 'root', path: '.' };

type Prepared =
  /** `root`: the containers' root, for a command in them. */
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
  // Read after the hooks before: they may have created the files.
  const delivery = await makeDelivery(work.plan, root, session.platform.files);
  if (typeof delivery === 'string') return { kind: 'failed', reason: delivery };
  return sendToAll(session, work, delivery);
}
