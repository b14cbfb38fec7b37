/**
 * A small controller that uses all features of the controller module. A Widget owns `spec.children` ConfigMaps with
 * generated names, and has a status with a condition, a finalizer and Events. The simulation and the tests on real
 * clusters run it.
 */
import type { ConfigMap } from 'kubernetes-types/core/v1.js';

import {
  type Condition,
  findCondition,
  type NewCondition,
  setCondition,
} from '../../../src/controller/conditions.ts';
import { type Controller, makeController } from '../../../src/controller/controller.ts';
import type { Observe } from '../../../src/controller/controller-event.ts';
import { aboutObject, type EventRecorder } from '../../../src/controller/event-recorder.ts';
import { Expectations, followChildren } from '../../../src/controller/expectations.ts';
import { fencedClient } from '../../../src/controller/fenced-client.ts';
import {
  addFinalizer,
  finalizerStep,
  isTerminating,
  removeFinalizer,
} from '../../../src/controller/finalizers.ts';
import {
  byOwnerUid,
  controllerKey,
  controllerOf,
  ownKey,
} from '../../../src/controller/indexes.ts';
import type { Informer } from '../../../src/controller/informer.ts';
import { OwnWrites } from '../../../src/controller/own-writes.ts';
import { readOnce } from '../../../src/controller/read-once.ts';
import {
  done,
  type Outcome,
  type PassContext,
  requeueAfter,
  terminal,
} from '../../../src/controller/reconcile.ts';
import type { SharedInformers, WatchScope } from '../../../src/controller/shared-informers.ts';
import { watched } from '../../../src/controller/source.ts';
import { writeStatusIfChanged } from '../../../src/controller/write-status.ts';
import { isReason } from '../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { apiVersionOf, type KubeObject, type Resource } from '../../../src/kube/object.ts';
import { configMaps, makeResource } from '../../../src/kube/resources.ts';
import type { Platform } from '../../../src/platform/platform.ts';

export interface Widget extends KubeObject {
  spec?: { children?: number };
  status?: { children?: number; observedGeneration?: number; conditions?: Condition[] };
}

export const widgets: Resource<Widget> = makeResource({
  apiVersion: 'sample.lifehook.dev/v1',
  kind: 'Widget',
});

export const FINALIZER = 'sample.lifehook.dev/children';

export interface SampleOptions {
  readonly client: KubeClient;
  readonly informers: SharedInformers;
  readonly scope?: WatchScope;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  readonly random: () => number;
  readonly events?: EventRecorder;
  readonly observe?: Observe;
  readonly passTimeoutMs?: number;
  /** Called at the start of each reconcile; returns the function to call at its end. */
  readonly onPass?: (key: string) => () => void;
}

interface Sample extends SampleOptions {
  readonly parents: Informer<Widget>;
  /** Widgets that the process has read from the server in this term. */
  readonly read: OwnWrites<Widget>;
  readonly children: Informer<ConfigMap>;
  readonly expectations: Expectations;
}

interface Pass {
  readonly widget: Widget;
  readonly client: KubeClient;
  readonly signal: PassContext['signal'];
}

export function makeSampleController(options: SampleOptions): Controller {
  const { informers, scope = {}, platform, onPass } = options;
  const parents = informers.of(widgets, { scope });
  const children = informers.of(configMaps, { scope, indexes: { owner: byOwnerUid } });
  const expectations = new Expectations({ platform });
  const read = new OwnWrites(parents);
  const sample: Sample = { ...options, parents, read, children, expectations };
  let token: PassContext['token'] = null;
  const keys = controllerKey(widgets);
  // By UID: a widget that is created again must not take the children of its predecessor for its own.
  followChildren({ informer: children, expectations, keys: byOwnerUid });
  parents.listen(({ before, after }) => {
    if (after === null) expectations.forget(before?.metadata?.uid ?? '');
  });
  return makeController({
    ...options,
    name: 'sample',
    sources: [watched({ informer: parents, keys: ownKey }), watched({ informer: children, keys })],
    backoff: { firstMs: 100, maxMs: 10_000 },
    reconcile: async (key, context) => {
      const end = onPass?.(key);
      if (context.token !== token) read.beginTerm();
      token = context.token;
      try {
        return await reconcile(sample, key, context);
      } finally {
        end?.();
      }
    },
  });
}

async function reconcile(sample: Sample, key: string, context: PassContext): Promise<Outcome> {
  const { parents, read } = sample;
  const { signal } = context;
  const reader: Pick<KubeClient, 'get'> = {
    get: (resource, of, given) => sample.client.get(resource, of, { ...given, signal }),
  };
  const widget = await readOnce({ client: reader, cache: parents, own: read }, key);
  if (widget === undefined) return done;
  const client = fencedClient(sample.client, context.mayAct);
  const pass = { widget, client, signal };
  const finalizing = { client, resource: widgets, object: widget, finalizer: FINALIZER, signal };
  const step = finalizerStep(widget, FINALIZER);
  switch (step) {
    case 'add':
      await addFinalizer(finalizing);
      return done;
    case 'cleanUp':
      if (!(await cleanedUp(sample, pass))) return requeueAfter(30_000, 'children are going');
      await removeFinalizer(finalizing);
      return done;
    case 'wait':
    case 'gone':
      return done;
    case 'work':
      return keepChildren(sample, pass);
    default:
      return step satisfies never;
  }
}

async function keepChildren(sample: Sample, pass: Pass): Promise<Outcome> {
  const { widget } = pass;
  const wanted = widget.spec?.children ?? 0;
  if (wanted < 0) {
    report(sample, widget, `spec.children is ${wanted}, and has to be 0 or more`);
    return terminal(new Error(`spec.children is ${wanted}`));
  }
  const waiting = sample.expectations.waitingFor(widget.metadata?.uid ?? '');
  if (waiting !== null) return requeueAfter(waiting.ms, waiting.reason);
  const own = childrenOf(sample, widget).filter((child) => !isTerminating(child));
  for (let count = own.length; count < wanted; count += 1) await create(sample, pass);
  for (const child of own.slice(wanted)) await remove(sample, pass, child);
  await writeStatus(sample, pass, own.length);
  return done;
}

/** Deletes the children. Returns true if the server has none left: the cache may be outdated, so it asks the server. */
async function cleanedUp(sample: Sample, pass: Pass): Promise<boolean> {
  const { widget, client, signal } = pass;
  const { namespace = '' } = widget.metadata ?? {};
  const all = await client.list(configMaps, { namespace, signal });
  const own = all.items.filter((child) => controllerOf(child)?.uid === widget.metadata?.uid);
  for (const child of own) await remove(sample, pass, child);
  return own.length === 0;
}

function childrenOf(sample: Sample, { metadata }: Widget): readonly ConfigMap[] {
  return sample.children
    .byIndex('owner', metadata?.uid ?? '')
    .filter((child) => controllerOf(child)?.uid === metadata?.uid);
}

async function create({ expectations }: Sample, { widget, client, signal }: Pass): Promise<void> {
  const { namespace = '', name = '', uid = '' } = widget.metadata ?? {};
  const owner = { apiVersion: apiVersionOf(widgets), kind: widgets.kind, name, uid };
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
  const child: ConfigMap = { metadata: { namespace, generateName: `${name}-`, ownerReferences } };
  await expectations.create(uid, () => client.create(configMaps, child, { signal }));
}

async function remove(
  { expectations }: Sample,
  { widget, client, signal }: Pass,
  { metadata }: ConfigMap,
): Promise<void> {
  const { namespace = '', name = '', uid = '' } = metadata ?? {};
  const request = (): Promise<unknown> =>
    client.delete(configMaps, { namespace, name }, { preconditions: { uid }, signal });
  try {
    await expectations.delete(widget.metadata?.uid ?? '', uid, request);
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}

async function writeStatus(sample: Sample, pass: Pass, children: number): Promise<void> {
  const { widget, client, signal } = pass;
  const before = widget.status?.conditions ?? [];
  const ready = readyOf(widget, children);
  const conditions = [...setCondition(before, ready, sample.platform.clock.nowMs())];
  const { observedGeneration = 0 } = ready;
  const status = { children, observedGeneration, conditions };
  await writeStatusIfChanged({ client, resource: widgets, object: widget, status, signal });
  if (findCondition(before, ready.type)?.status === ready.status) return;
  report(sample, widget, `${children} of ${widget.spec?.children ?? 0} children are there`);
}

function readyOf({ metadata, spec }: Widget, children: number): NewCondition {
  const wanted = spec?.children ?? 0;
  const all = children === wanted;
  return {
    type: 'Ready',
    status: all ? 'True' : 'False',
    reason: all ? 'AllThere' : 'Changing',
    message: `${children} of ${wanted}`,
    observedGeneration: metadata?.generation ?? 0,
  };
}

function report({ events }: Sample, widget: Widget, message: string): void {
  events?.record({
    about: aboutObject(widgets, widget),
    type: 'Normal',
    reason: 'Sample',
    message,
  });
}
