/** What the webhook of the guards needs: the API server, time, and the reads and creations that its requests share. */
import type { AdmissionJudge } from '../../../controller/admission/admission-service.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { SnapshotEvent } from '../snapshot-event.ts';
import { Admissions } from './admissions.ts';
import { judgeRequest } from './judge-request.ts';
import { SharedOpenings } from './shared-openings.ts';
import { SharedReads, type SharedReadsOptions } from './shared-reads.ts';

export interface GuardWorld {
  readonly client: Pick<KubeClient, 'get' | 'list' | 'create' | 'replaceStatus'>;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** Receives each answer. Never throws. */
  readonly observe: (event: GuardAnswer) => void;
  readonly reads: SharedReads;
  readonly openings: SharedOpenings;
  readonly admissions: Admissions;
}

export type GuardAnswer = Extract<SnapshotEvent, { type: 'GuardAnswered' }>;

/** One process of the webhook. */
export function guardJudge(
  options: Pick<GuardWorld, 'client' | 'platform' | 'observe'> & Pick<SharedReadsOptions, 'cache'>,
): AdmissionJudge {
  const { client, platform, cache } = options;
  const reads = new SharedReads({ client, timers: platform.timers, cache });
  const shared = {
    reads,
    openings: new SharedOpenings(client),
    admissions: new Admissions(client),
  };
  const world = { ...options, ...shared };
  return (request, signal) => judgeRequest(request, world, signal);
}
