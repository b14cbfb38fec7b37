/** Binds a claim to an existing volume, or to a new volume of its class. */
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';
import type { StorageClass } from 'kubernetes-types/storage/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import type { Notice } from '../../../../../src/controller/event-correlator.ts';
import { aboutObject } from '../../../../../src/controller/event-recorder.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { keyOf, parseKey } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { writeStatusIfChanged } from '../../../../../src/controller/write-status.ts';
import { isReason } from '../../../../../src/kube/api-error.ts';
import {
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
} from '../../../../../src/kube/resources.ts';
import type { Cutter } from '../../snapshots/storage/cutter.ts';
import type { ControllerContext } from '../context.ts';
import { bind, DRIVER, IS_DEFAULT_CLASS, PROVISIONER } from './bind.ts';
import { type ClaimStep, decideClaim } from './decide-claim.ts';
import { classOf } from './match.ts';
import { provision, ProvisioningError } from './provision.ts';
import { hasEnded } from '../../../../../src/kube/pod-state.ts';

/** Milliseconds until an unbound claim is reconciled again if nothing changes before. */
const AGAIN_MS = 15_000;
/** Milliseconds until a claim whose data source is not ready is reconciled again. */
const SOURCE_AGAIN_MS = 1_000;

export function makeClaimController(context: ControllerContext, cutter: Cutter): Controller {
  const { informers, client } = context;
  const claims = informers.of(persistentVolumeClaims);
  const volumes = informers.of(persistentVolumes);
  const classes = informers.of(storageClasses);
  const ofPods = informers.of<Pod>(pods, { indexes: { claim: claimKeys } });
  const unbound = (): readonly string[] =>
    claims.list().flatMap((claim) => (claim.status?.phase === 'Bound' ? [] : keyOf(claim)));
  return makeController({
    ...context,
    name: 'claims',
    workers: 1,
    sources: [
      watched({ informer: claims, keys: ownKey }),
      watched({ informer: volumes, keys: (volume) => [...referenced(volume), ...unbound()] }),
      watched({ informer: classes, keys: unbound }),
      watched({ informer: ofPods, keys: claimKeys, when: ({ before }) => before === null }),
    ],
    reconcile: async (key): Promise<Outcome> => {
      const cached = claims.get(key);
      if (cached === undefined) return done;
      // Read from the server: the cache may lack the binding that the last reconcile wrote.
      const claim = await client.get(persistentVolumeClaims, parseKey(key));
      const step = decideClaim({
        claim,
        volumes: volumes.list(),
        storageClass: classes.get(classOf(claim)),
        defaultClass: defaultClass(classes),
        // A terminating pod still mounts its volumes.
        isAwaited: ofPods.byIndex('claim', key).some((pod) => !hasEnded(pod)),
      });
      return carryOut({ context, cutter, claim }, step);
    },
  });
}

function referenced({
  spec,
}: {
  spec?: { claimRef?: { namespace?: string; name?: string } };
}): string[] {
  const { namespace = '', name = '' } = spec?.claimRef ?? {};
  return name === '' ? [] : [`${namespace}/${name}`];
}

/** Name of the default class; the newest if several are marked as default. */
function defaultClass(classes: Informer<StorageClass>): string | undefined {
  return classes
    .list()
    .filter(({ metadata }) => metadata?.annotations?.[IS_DEFAULT_CLASS] === 'true')
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))[0]?.metadata?.name;
}

function timeOf({ metadata }: StorageClass): string {
  return metadata?.creationTimestamp ?? '';
}

interface Acting {
  readonly context: ControllerContext;
  readonly cutter: Cutter;
  readonly claim: PersistentVolumeClaim;
}

async function carryOut(acting: Acting, step: ClaimStep): Promise<Outcome> {
  const { context, claim } = acting;
  switch (step.kind) {
    case 'nothing':
      return done;
    case 'takeDefaultClass':
      await context.client.replace(persistentVolumeClaims, {
        ...claim,
        spec: { ...claim.spec, storageClassName: step.name },
      });
      return done;
    case 'bind':
      await bind(context.client, claim, step.volume);
      return done;
    case 'provision':
      return makeVolume(acting, step.storageClass);
    case 'wait':
      recordEvent(acting, step.note);
      return step.note === null ? done : requeueAfter(AGAIN_MS, step.note.message);
    case 'lose': {
      const resource = persistentVolumeClaims;
      const status = { ...claim.status, phase: 'Lost' };
      if (claim.status?.phase !== 'Lost') recordEvent(acting, step.note);
      await writeStatusIfChanged({ client: context.client, resource, object: claim, status });
      return done;
    }
    default:
      return step satisfies never;
  }
}

async function makeVolume(acting: Acting, storageClass: StorageClass): Promise<Outcome> {
  const { context, cutter, claim } = acting;
  const { client, platform, stateFolder } = context;
  const marked = await markWithProvisioner(acting);
  const world = { client, cutter, files: platform.files, folder: `${stateFolder}/volumes` };
  try {
    const volume = await provision(world, marked, storageClass);
    const message = `Successfully provisioned volume ${volume.metadata?.name ?? ''}`;
    recordEvent(acting, { type: 'Normal', reason: 'ProvisioningSucceeded', message });
    await bind(client, marked, volume);
    return done;
  } catch (error) {
    if (!(error instanceof ProvisioningError) && !isReason(error, 'NotFound')) throw error;
    const message = `failed to provision volume with StorageClass "${classOf(claim)}": ${error.message}`;
    recordEvent(acting, { type: 'Warning', reason: 'ProvisioningFailed', message });
    return requeueAfter(SOURCE_AGAIN_MS, message);
  }
}

async function markWithProvisioner({ context, claim }: Acting): Promise<PersistentVolumeClaim> {
  const known = claim.metadata?.annotations ?? {};
  if (known[PROVISIONER] === DRIVER) return claim;
  const annotations = { ...known, [PROVISIONER]: DRIVER };
  const metadata = { ...claim.metadata, annotations };
  return context.client.replace(persistentVolumeClaims, { ...claim, metadata });
}

function recordEvent({ context, claim }: Acting, note: Notice | null): void {
  if (note === null) return;
  context.recorder.record({ about: aboutObject(persistentVolumeClaims, claim), ...note });
}

/** Keys of the claims that a pod mounts. The claim of an ephemeral volume has the name POD-VOLUME. */
export function claimKeys({ metadata, spec }: Pod): readonly string[] {
  const namespace = metadata?.namespace ?? '';
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) {
      return [`${namespace}/${persistentVolumeClaim.claimName}`];
    }
    return ephemeral === undefined ? [] : [`${namespace}/${metadata?.name ?? ''}-${name}`];
  });
}

/** True if the pod's volumes are mounted on a node, or will be. */
export function holds(pod: Pod): boolean {
  return !hasEnded(pod) && isOnNode(pod);
}

/** True if the pod protects its claims from deletion. A pod that has ended protects them too. */
export function isOnNode({ spec }: Pod): boolean {
  return (spec?.nodeName ?? '') !== '';
}
