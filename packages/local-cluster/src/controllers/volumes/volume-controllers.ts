import type { Controller } from '../../../../../src/controller/controller.ts';
import { Cutter } from '../../snapshots/storage/cutter.ts';
import type { ControllerContext } from '../context.ts';
import { makeAttachmentController } from './attachments.ts';
import { makeClaimController } from './claims.ts';
import { makeDefaultClassController } from './decide-claim.ts';
import { makeClaimProtection, makeVolumeProtection } from './protection.ts';
import { makeVolumeController } from './volumes.ts';

/** The controllers of claims and volumes, which a real cluster has in its controller manager. */
export function volumeControllers(context: ControllerContext): readonly Controller[] {
  return [
    makeDefaultClassController(context),
    makeClaimController(context, new Cutter(context.platform)),
    makeVolumeController(context),
    makeClaimProtection(context),
    makeVolumeProtection(context),
    makeAttachmentController(context),
  ];
}
