/**
 * Decides the next step of a claim. It reads and writes nothing: the caller has read the volumes, and carries out the
 * step.
 */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import type { StorageClass } from 'kubernetes-types/storage/v1.js';

import type { Controller } from '../../../../../src/controller/controller.ts';
import type { Notice } from '../../../../../src/controller/event-correlator.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { storageClasses } from '../../../../../src/kube/resources.ts';
import { ensure } from '../../ensure.ts';
import type { ControllerContext } from '../context.ts';
import { bestMatch, classOf, isReservedFor, mismatch } from './match.ts';
import { BIND_COMPLETED, DRIVER, DEFAULT_CLASS_NAME, IS_DEFAULT_CLASS } from './bind.ts';

export interface ClaimFacts {
  readonly claim: PersistentVolumeClaim;
  readonly volumes: readonly PersistentVolume[];
  /** Class that the claim names; undefined if it does not exist. */
  readonly storageClass: StorageClass | undefined;
  /** Name of the class for claims that name none. */
  readonly defaultClass: string | undefined;
  /** True if a pod uses the claim. */
  readonly isAwaited: boolean;
}

export type ClaimStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'takeDefaultClass'; readonly name: string }
  | { readonly kind: 'bind'; readonly volume: PersistentVolume }
  | { readonly kind: 'provision'; readonly storageClass: StorageClass }
  | { readonly kind: 'wait'; readonly note: Notice | null }
  | { readonly kind: 'lose'; readonly note: Notice };

export function decideClaim(facts: ClaimFacts): ClaimStep {
  const { claim, volumes } = facts;
  if (claim.metadata?.deletionTimestamp !== undefined) return { kind: 'nothing' };
  const name = claim.spec?.volumeName ?? '';
  const volume = volumes.find(({ metadata }) => metadata?.name === name);
  if (claim.metadata?.annotations?.[BIND_COMPLETED] !== undefined) return keepBound(claim, volume);
  if (name !== '') return bindNamed(claim, name, volume);
  return decideUnbound(facts);
}

function keepBound(claim: PersistentVolumeClaim, volume: PersistentVolume | undefined): ClaimStep {
  const lost = (reason: string, message: string): ClaimStep => ({
    kind: 'lose',
    note: { type: 'Warning', reason, message },
  });
  if (volume === undefined) {
    const what =
      (claim.spec?.volumeName ?? '') === ''
        ? 'reference to PersistentVolume'
        : 'its PersistentVolume';
    return lost('ClaimLost', `Bound claim has lost ${what}. Data on the volume is lost!`);
  }
  if (volume.spec?.claimRef === undefined || isReservedFor(claim, volume)) {
    return { kind: 'bind', volume };
  }
  return lost(
    'ClaimMisbound',
    'Two claims are bound to the same volume, this one is bound incorrectly',
  );
}

function bindNamed(
  claim: PersistentVolumeClaim,
  name: string,
  volume: PersistentVolume | undefined,
): ClaimStep {
  const wait = (reason: string, message: string): ClaimStep => ({
    kind: 'wait',
    note: { type: 'Warning', reason, message },
  });
  if (volume === undefined) return { kind: 'wait', note: null };
  if (volume.spec?.claimRef !== undefined) {
    if (isReservedFor(claim, volume)) return { kind: 'bind', volume };
    return wait('FailedBinding', `volume "${name}" already bound to a different claim.`);
  }
  const why = mismatch(claim, volume);
  if (why === null) return { kind: 'bind', volume };
  return wait('VolumeMismatch', `Cannot bind to requested volume "${name}": ${why}`);
}

function decideUnbound(facts: ClaimFacts): ClaimStep {
  const { claim, volumes, storageClass, defaultClass, isAwaited } = facts;
  if (claim.spec?.storageClassName === undefined && defaultClass !== undefined) {
    return { kind: 'takeDefaultClass', name: defaultClass };
  }
  const delayed = storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && !isAwaited;
  const volume = bestMatch(claim, volumes);
  // A volume that a user reserved for the claim is bound at once, even if other volumes wait for a pod.
  if (volume !== null && (!delayed || isReservedFor(claim, volume)))
    return { kind: 'bind', volume };
  if (delayed) {
    const message = 'waiting for first consumer to be created before binding';
    return {
      kind: 'wait',
      note: { type: 'Normal', reason: 'WaitForFirstConsumer', message },
    };
  }
  return decideProvisioning(claim, storageClass);
}

function decideProvisioning(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
): ClaimStep {
  const name = classOf(claim);
  const failed = (reason: string, message: string, type: 'Normal' | 'Warning'): ClaimStep => ({
    kind: 'wait',
    note: { type, reason, message },
  });
  if (name === '') {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    return failed('FailedBinding', message, 'Normal');
  }
  if (storageClass === undefined) {
    const message = `storageclass.storage.k8s.io "${name}" not found`;
    return failed('ProvisioningFailed', message, 'Warning');
  }
  const { provisioner } = storageClass;
  if (provisioner === DRIVER) return { kind: 'provision', storageClass };
  if (provisioner === 'kubernetes.io/no-provisioner') {
    return failed(
      'FailedBinding',
      `no persistent volume of class "${name}" is available`,
      'Normal',
    );
  }
  const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  return failed('ExternalProvisioning', message, 'Normal');
}

/** Creates the default StorageClass if it is missing. Users may change or delete it. */
async function ensureDefaultClass(client: KubeClient): Promise<void> {
  await ensure<StorageClass>(client, storageClasses, {
    metadata: { name: DEFAULT_CLASS_NAME, annotations: { [IS_DEFAULT_CLASS]: 'true' } },
    provisioner: DRIVER,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  });
}

/** Runs once at the start: a class that a user deletes later stays deleted until the next start. */
export function makeDefaultClassController({ client }: ControllerContext): Controller {
  return { name: 'default-class', run: () => ensureDefaultClass(client) };
}
