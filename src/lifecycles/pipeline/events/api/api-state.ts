/** Folds our events into the state of a session in the event API, in the terms of version 1 or 2. */
import type { PipelineEvent } from '../pipeline-event.ts';
import { type ApiFacts, metadataV1, metadataV2 } from './api-facts.ts';
import { forwardedPort, UNKNOWN_OF } from './api-parts.ts';

type Status = 'NotStarted' | 'InProgress' | 'Complete' | 'Succeeded' | 'Failed';
type Phase = Extract<PipelineEvent, { type: 'PhaseEvent' }>;

interface Part {
  readonly status: Status;
  readonly statusCode: string;
}

const NOT_STARTED: Part = { status: 'NotStarted', statusCode: 'OK' };
const SINGLE = ['test', 'render', 'deploy', 'sync', 'verify'] as const;

type Single = (typeof SINGLE)[number];

export class ApiState {
  readonly #facts: ApiFacts;
  readonly #artifacts = new Map<string, Status>();
  readonly #parts = new Map<Single, Part>();
  readonly #ports = new Map<number, object>();
  #iteration = 0;

  constructor(facts: ApiFacts) {
    this.#facts = facts;
    for (const { name } of facts.artifacts) this.#artifacts.set(name, 'NotStarted');
  }

  readonly see = (event: PipelineEvent): void => {
    if (event.type === 'Iteration') this.#iteration = event.number - 1;
    if (event.type === 'PortsClosed') for (const port of event.localPorts) this.#ports.delete(port);
    if (event.type !== 'PhaseEvent') return;
    if (event.phase === 'build') this.#seeBuild(event);
    const single = SINGLE.find((name) => name === event.phase);
    if (single !== undefined) this.#parts.set(single, partOf(event));
    const port = forwardedPort(event, this.#iteration);
    if (port !== null) this.#ports.set(port.localPort, port);
  };

  v2(): object {
    return {
      ...this.#common((status) => status),
      forwardedPorts: Object.fromEntries(this.#ports),
      metadata: metadataV2(this.#facts),
      testState: this.#part('test'),
      renderState: this.#part('render'),
      verifyState: this.#part('verify'),
      execState: NOT_STARTED,
    };
  }

  /** The state in version 1, which says "In Progress" instead of "InProgress". */
  v1(): object {
    const ports = [...this.#ports].map(([local, port]) => [local, portV1(port)] as const);
    return {
      ...this.#common(spaced),
      forwardedPorts: Object.fromEntries(ports),
      metadata: metadataV1(this.#facts),
      testState: withStatus(this.#part('test'), spaced),
    };
  }

  #seeBuild({ subject, status }: Phase): void {
    if (subject === undefined) return;
    this.#artifacts.set(subject, COMPLETE[status]);
  }

  #part(name: Single): Part {
    return this.#parts.get(name) ?? NOT_STARTED;
  }

  #common(words: (status: Status) => string): object {
    const deploy = withStatus(this.#part('deploy'), words);
    const check = withStatus(checkOf(this.#part('deploy')), words);
    const artifacts = [...this.#artifacts].map(([name, status]) => [name, words(status)] as const);
    const trigger = { autoTrigger: false };
    const hasFailed = [...this.#artifacts.values()].includes('Failed');
    return {
      buildState: {
        artifacts: Object.fromEntries(artifacts),
        ...trigger,
        statusCode: hasFailed ? UNKNOWN_OF.build : 'OK',
      },
      deployState: { status: deploy.status, ...trigger, statusCode: deploy.statusCode },
      forwardedPorts: {},
      statusCheckState: { status: check.status, resources: {}, statusCode: check.statusCode },
      fileSyncState: { status: words(this.#part('sync').status), ...trigger },
      debuggingContainers: [],
    };
  }
}

const COMPLETE = {
  InProgress: 'InProgress',
  Succeeded: 'Complete',
  Skipped: 'Complete',
  Failed: 'Failed',
} as const;

function partOf({ phase, status }: Phase): Part {
  if (status === 'Failed') return { status, statusCode: UNKNOWN_OF[phase] };
  const done = phase === 'sync' ? 'Succeeded' : 'Complete';
  return { status: status === 'InProgress' ? 'InProgress' : done, statusCode: 'OK' };
}

/** The state of the status check, which is complete when the deployment is. */
function checkOf({ status }: Part): Part {
  if (status !== 'Complete') return NOT_STARTED;
  return { status: 'Succeeded', statusCode: 'STATUSCHECK_SUCCESS' };
}

function withStatus(
  part: Part,
  words: (status: Status) => string,
): { status: string; statusCode: string } {
  return { status: words(part.status), statusCode: part.statusCode };
}

function spaced(status: Status): string {
  return status.replace(/(?<=[a-z])(?=[A-Z])/u, ' ');
}

/** A forwarded port in version 1, which lacks the ids of version 2. */
function portV1(port: object): object {
  const { id: _id, task_id: _task, ...rest } = port as { id: string; task_id: string };
  return { ...rest, remotePort: 0 };
}
