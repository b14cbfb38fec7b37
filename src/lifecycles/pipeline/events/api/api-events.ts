/**
 * Converts our events into those of the event API, in order. In version 2 each phase except sync and ready is a task:
 * the task starts with the phase's first event, and ends when another task or iteration starts or the session ends.
 * Hooks become log lines.
 */
import type { PipelinePhase } from '../../hooks/model.ts';
import type { PipelineEvent } from '../pipeline-event.ts';
import { type ApiFacts, metadataV2 } from './api-facts.ts';
import {
  type ApiMessage,
  entryOf,
  errorOf,
  forwardedPort,
  syncedFiles,
  terminated,
  timestamp,
} from './api-parts.ts';

type Of<T extends PipelineEvent['type']> = Extract<PipelineEvent, { type: T }>;
type Phase = Of<'PhaseEvent'>;

const TASKS: Readonly<Partial<Record<PipelinePhase, { name: string; description: string }>>> = {
  build: { name: 'Build', description: 'Build containers' },
  test: { name: 'Test', description: 'Test' },
  render: { name: 'Render', description: 'Render Manifests' },
  deploy: { name: 'Deploy', description: 'Deploy to cluster' },
  verify: { name: 'Verify', description: 'Running verification test(s)' },
  portForward: { name: 'PortForward', description: 'Port forward URLs' },
  cleanup: { name: 'Cleanup', description: 'Clean up' },
};

/** The subtask id of a log line that belongs to no artifact. */
const NO_SUBTASK = '-1';

/** The conversion for one reader. It must get the stream from the first event on. */
export class ApiEvents {
  readonly #facts: ApiFacts;
  #task: PipelinePhase | null = null;
  #failed: ReturnType<typeof errorOf> = null;
  #iteration = 0;

  constructor(facts: ApiFacts) {
    this.#facts = facts;
  }

  v2(event: PipelineEvent): readonly ApiMessage[] {
    return this.#messages(event).map((one) => ({ timestamp: timestamp(event), ...one }));
  }

  #messages(event: PipelineEvent): readonly ApiMessage[] {
    switch (event.type) {
      case 'HookCounts':
        return [{ metaEvent: { entry: entryOf(this.#facts), metadata: metadataV2(this.#facts) } }];
      case 'PhaseEvent':
        return [...this.#begin(event), ...this.#subtask(event)];
      case 'HostCallbackEvent':
      case 'ContainerCallbackEvent':
        return [this.#log(callbackText(event), event.address)];
      case 'Output':
        return [this.#log(event.line, event.source)];
      case 'Warning':
        return [this.#log(`${event.code}: ${event.message}`, NO_SUBTASK, 'WARN')];
      case 'PortsClosed':
        return [];
      case 'Iteration':
        return this.#iterate(event);
      case 'Ended':
        return [...this.#end(), { terminationEvent: terminated(event) }];
      default:
        return event satisfies never;
    }
  }

  #iterate({ number }: Of<'Iteration'>): readonly ApiMessage[] {
    const ended = this.#end();
    this.#iteration = number - 1;
    return ended;
  }

  #begin(event: Phase): readonly ApiMessage[] {
    const task = TASKS[event.phase];
    if (task === undefined) return [];
    const ended = this.#task === event.phase ? null : this.#end();
    this.#task = event.phase;
    this.#failed ??= errorOf(event);
    return ended === null ? [] : [...ended, this.#taskEvent('InProgress', task.description)];
  }

  #end(): readonly ApiMessage[] {
    if (this.#task === null) return [];
    const message = this.#taskEvent(this.#failed === null ? 'Succeeded' : 'Failed', '');
    this.#task = null;
    this.#failed = null;
    return [message];
  }

  #taskEvent(status: string, description: string): ApiMessage {
    const { name = '' } = this.#task === null ? {} : (TASKS[this.#task] ?? {});
    const id = `${name}-${this.#iteration}`;
    const iteration = this.#iteration;
    const actionableErr = status === 'Failed' ? this.#failed : null;
    return { taskEvent: { id, task: name, description, iteration, status, actionableErr } };
  }

  #taskId(): string {
    const name = this.#task === null ? undefined : TASKS[this.#task]?.name;
    return `${name ?? 'DevLoop'}-${this.#iteration}`;
  }

  #subtask(event: Phase): readonly ApiMessage[] {
    const { phase, status, subject = '' } = event;
    const task_id = this.#taskId();
    const actionableErr = errorOf(event);
    const ended = status === 'Skipped' ? 'Succeeded' : status;
    const rest = { task_id, status: ended, actionableErr };
    const port = forwardedPort(event, this.#iteration);
    if (port !== null) return [{ portEvent: port }];
    if (phase === 'build') {
      const step = status === 'Skipped' ? 'Cache' : 'Build';
      const platforms = { hostPlatform: this.#facts.hostPlatform, targetPlatforms: '' };
      return [
        { buildSubtaskEvent: { id: subject, artifact: subject, step, ...rest, ...platforms } },
      ];
    }
    if (phase === 'sync') return [{ fileSyncEvent: { id: '0', ...syncedFiles(event), ...rest } }];
    const field = SUBTASKS[phase];
    return field === undefined ? [] : [{ [field]: { id: '0', ...rest } }];
  }

  #log(text: string, subtask_id: string, level = 'STANDARD'): ApiMessage {
    return {
      skaffoldLogEvent: { task_id: this.#taskId(), subtask_id, level, message: `${text}\n` },
    };
  }
}

const SUBTASKS: Readonly<Partial<Record<PipelinePhase, string>>> = {
  test: 'testEvent',
  render: 'renderEvent',
  deploy: 'deploySubtaskEvent',
  verify: 'verifyEvent',
};

function callbackText(event: Of<'HostCallbackEvent' | 'ContainerCallbackEvent'>): string {
  const { callback, status, container, message } = event;
  const where = container === undefined ? '' : ` in ${container}`;
  const why = message === undefined ? '' : `: ${message}`;
  const words = {
    InProgress: 'Starting',
    Completed: 'Completed',
    Failed: 'Failed',
    Skipped: 'Skipped',
  };
  return `${words[status]} ${callback} hook ${event.address}${where}${status === 'Completed' ? '' : why}`;
}
