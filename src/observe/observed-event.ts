/**
 * The events that subscribers receive. Each line stands for one lifecycle: if you delete a lifecycle, delete its line.
 */
import type { PipelineLifecycleEvent } from '../lifecycles/pipeline/events/pipeline-event.ts';
import type { RolloutLifecycleEvent } from '../lifecycles/rollout/rollout-event.ts';
import type { SnapshotLifecycleEvent } from '../lifecycles/snapshot/snapshot-event.ts';
import type { RunEvent, LifecycleEvent } from '../model/event.ts';

export type ObservedEvent =
  | PipelineLifecycleEvent
  | RolloutLifecycleEvent
  | SnapshotLifecycleEvent
  | LifecycleEvent<'container' | 'pod', RunEvent>;
