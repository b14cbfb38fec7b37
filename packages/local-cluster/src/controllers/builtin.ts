import type { Controller } from '../../../../src/controller/controller.ts';
import { Cutter } from '../snapshots/storage/cutter.ts';
import type { ControllerContext } from './context.ts';
import { makeDeploymentController } from './deployment/deployment-controller.ts';
import { makeEndpointSliceController } from './endpoints/endpoint-slices.ts';
import { makeEndpointsController } from './endpoints/endpoints.ts';
import { makeMirroringController } from './endpoints/mirrored-slices.ts';
import { makeGarbageCollector } from './garbage-collector/garbage-collector.ts';
import { makeNamespaceController } from './namespace/namespace.ts';
import { makeJobController } from './job/job-controller.ts';
import { makeReplicaSetController } from './replicaset/replica-set-controller.ts';
import { makeSchedulerController } from './scheduler/scheduler.ts';
import {
  makeRootCertificateController,
  makeServiceAccountController,
} from './service-account/default-contents.ts';
import { makeEventExpiryController } from './ttl/event-expiry.ts';
import { makeAttachmentController } from './volumes/attachments.ts';
import { makeClaimController } from './volumes/claims.ts';
import { makeDefaultClassController } from './volumes/decide-claim.ts';
import { makeClaimProtection, makeVolumeProtection } from './volumes/protection.ts';
import { makeVolumeController } from './volumes/volumes.ts';

/**
 * All controllers of the local cluster; their order does not matter. Their events have the component names of a real
 * cluster.
 */
export function builtinControllers(context: ControllerContext): readonly Controller[] {
  const as = (component: string): ControllerContext => {
    return { ...context, recorder: context.recorder.as({ component }) };
  };
  return [
    makeSchedulerController(as('default-scheduler')),
    makeDeploymentController(as('deployment-controller')),
    makeReplicaSetController(as('replicaset-controller')),
    makeJobController(as('job-controller')),
    makeGarbageCollector(as('garbage-collector-controller')),
    makeNamespaceController(context),
    makeServiceAccountController(context),
    makeEndpointsController(context),
    makeEndpointSliceController(context),
    makeMirroringController(context),
    ...volumeControllers(as('persistentvolume-controller')),
    makeEventExpiryController(context),
    ...maybe(makeRootCertificateController(context)),
  ];
}

function maybe(controller: Controller | null): readonly Controller[] {
  return controller === null ? [] : [controller];
}

/** The controllers of PersistentVolumeClaims and PersistentVolumes. */
function volumeControllers(context: ControllerContext): readonly Controller[] {
  return [
    makeDefaultClassController(context),
    makeClaimController(context, new Cutter(context.platform)),
    makeVolumeController(context),
    makeClaimProtection(context),
    makeVolumeProtection(context),
    makeAttachmentController(context),
  ];
}
