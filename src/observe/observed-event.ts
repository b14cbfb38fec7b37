/** The events of subscribers. Each line is one lifecycle: delete the line together with the lifecycle. */
import type { PipelineLifecycleEvent } from '../lifecycles/pipeline/events/pipeline-event.ts';
import type { RolloutLifecycleEvent } from '../lifecycles/rollout/rollout-event.ts';
import type { SnapshotLifecycleEvent } from '../lifecycles/snapshot/snapshot-event.ts';
import type { RunEvent, LifecycleEvent } from '../model/event.ts';

export type ObservedEvent =
  | PipelineLifecycleEvent
  | RolloutLifecycleEvent
  | SnapshotLifecycleEvent
  | LifecycleEvent<'container' | 'pod', RunEvent>;
