/**
 * The hook controller with a simulated API server and scripted containers. Tests set the result of each command, let
 * time pass, and check which commands ran and when.
 */
import type { ContainerStatus as PodContainer, Pod } from 'kubernetes-types/core/v1.js';

import type { Controller } from '../../../src/controller/controller.ts';
import type { ControllerEvent } from '../../../src/controller/controller-event.ts';
import { EventRecorder } from '../../../src/controller/event-recorder.ts';
import { runManager } from '../../../src/controller/manager.ts';
import { SharedInformers } from '../../../src/controller/shared-informers.ts';
import type { Status } from '../../../src/kube/api-error.ts';
import type { ExecOptions } from '../../../src/kube/exec.ts';
import type { ExecResult } from '../../../src/kube/exec-result.ts';
import { events, nodes, pods } from '../../../src/kube/resources.ts';
import type { ContainerAccess, SnapshotContext } from '../../../src/lifecycles/snapshot/context.ts';
import { makeHookController } from '../../../src/lifecycles/snapshot/hook/hook-controller.ts';
import {
  type ContainerStatus,
  type ExecutionHook,
  executionHooks,
  type ExecutionHookSpec,
  executionHookTemplates,
  type HookActions,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { HOOK_FINALIZER } from '../../../src/lifecycles/snapshot/names.ts';
import type { SnapshotEvent } from '../../../src/lifecycles/snapshot/snapshot-event.ts';
import { copyOf } from '../controller/sim-api.ts';
import { SimBench } from '../controller/sim-bench.ts';
import type { SimHost } from '../controller/sim-host.ts';
import { makeSimWatch, noWatchFaults } from '../controller/sim-watch.ts';
import { Random } from '../random.ts';

/** Behaviour of a command: an exit code after `ms` milliseconds, or an end that is never reported. */
export type Behaviour =
  | { readonly exitCode: number; readonly ms?: number; readonly output?: string }
  /** The server or the node refused to start the command. */
  | { readonly refused: Status }
  | 'hangs'
  /** The connection breaks after this time in milliseconds. */
  | { readonly lostAfterMs: number };

export interface RunCommand {
  readonly atMs: number;
  /** Place of the command as "pod/container". */
  readonly place: string;
  readonly command: string;
  readonly pool: 'freezing' | 'thawing';
}

const NAMESPACE = 'ns';

export const FREEZE: readonly string[] = ['freeze'];
export const THAW: readonly string[] = ['thaw'];

export class HookBench extends SimBench {
  readonly ran: RunCommand[] = [];
  readonly observed: SnapshotEvent[] = [];
  readonly passes: ControllerEvent[] = [];
  /** Behaviours by "command" or by "command pod/container", which takes precedence; default: exits with 0. */
  readonly behaviours: Map<string, Behaviour | (() => Behaviour)> = new Map();
  /** Returns the secrets of the containers; absent: they have none. */
  secretsOf: ((host: SimHost) => Promise<readonly string[]>) | undefined;
  #controller: { readonly host: SimHost; readonly stop: AbortController } | null = null;
  #hosts = 0;

  /** Starts a controller on a host of its own. Before that, kills a running controller. */
  start(make: (context: SnapshotContext) => Controller = makeHookController): SimHost {
    this.kill();
    this.#hosts += 1;
    const host = this.makeHost(`controller-${this.#hosts}`);
    const stop = new AbortController();
    this.#controller = { host, stop };
    const client = this.makeClient(host);
    const random = new Random(this.#hosts);
    const watch = makeSimWatch({ api: this.api, host, random, faults: () => noWatchFaults });
    const informers = new SharedInformers({ watch });
    const recorder = new EventRecorder({
      client,
      component: 'lifehook',
      platform: host,
      random: () => random.fraction(),
    });
    const context: SnapshotContext = {
      client,
      informers,
      scope: {},
      recorder,
      platform: host,
      random: () => random.fraction(),
      freezing: this.#access(host, 'freezing'),
      thawing: this.#access(host, 'thawing'),
      observe: (event) => {
        this.observed.push(event);
      },
      observeController: (event) => {
        this.passes.push(event);
      },
    };
    const controllers = [make(context)];
    void runManager({ informers, controllers, election: null, signal: stop.signal });
    return host;
  }

  /** Kills the controller as SIGKILL does: it receives no more callbacks. */
  kill(): void {
    if (this.#controller === null) return;
    this.#controller.host.process.alive = false;
    this.#controller = null;
  }

  makePod(name: string, containers: readonly string[] = ['db'], more: Partial<Pod> = {}): Pod {
    const statuses = containers.map((container): PodContainer => ({
      name: container,
      containerID: `sim://${name}-${container}-0`,
      image: 'sim',
      imageID: 'sim',
      ready: true,
      restartCount: 0,
      state: { running: {} },
    }));
    const spec = { nodeName: 'node-1', containers: containers.map((each) => ({ name: each })) };
    const status = {
      phase: 'Running',
      podIP: '10.0.0.1',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: statuses,
    };
    const metadata = { ...more.metadata, namespace: NAMESPACE, name };
    const pod = { spec, status, ...more, metadata };
    return this.api.create(pods, pod) as unknown as Pod;
  }

  makeNode(name: string, ready: 'True' | 'False' | 'Unknown'): void {
    const status = { conditions: [{ type: 'Ready', status: ready }] };
    const node = { metadata: { name }, status };
    this.api.create(nodes, node);
  }

  /** Creates a hook, with the default freeze and thaw unless the spec has a template or other actions. */
  makeHook(name: string, spec: Partial<ExecutionHookSpec> = {}, more: object = {}): void {
    const actions: Partial<ExecutionHookSpec> =
      spec.executionHookTemplateName === undefined
        ? {
            preAction: { exec: { command: [...FREEZE] } },
            postAction: { exec: { command: [...THAW] } },
          }
        : {};
    const metadata = { namespace: NAMESPACE, name, ...more };
    const targets = { podSelector: {} };
    this.api.create(executionHooks, {
      metadata,
      spec: { ...targets, ...actions, ...spec },
    } as ExecutionHook);
  }

  makeTemplate(name: string, actions: HookActions): void {
    const template = { metadata: { namespace: NAMESPACE, name }, ...actions };
    this.api.create(executionHookTemplates, template);
  }

  hook(name: string): ExecutionHook | undefined {
    return this.api.find(executionHooks, { namespace: NAMESPACE, name }) as
      | ExecutionHook
      | undefined;
  }

  targets(name: string = 'h'): readonly ContainerStatus[] {
    return this.hook(name)?.status?.containerExecutionHookStatuses ?? [];
  }

  /** Reason of the hook's condition of this type. */
  condition(type: string, name: string = 'h'): string | undefined {
    return this.hook(name)?.status?.conditions?.find((each) => each.type === type)?.reason;
  }

  isFrozen(name: string = 'h'): () => boolean {
    return () => this.hook(name)?.status?.preActionSucceed === true;
  }

  hasFailed(name: string = 'h'): () => boolean {
    return () => this.hook(name)?.status?.preActionSucceed === false;
  }

  isDeleted(name: string = 'h'): () => boolean {
    return () => this.hook(name) === undefined;
  }

  /** True if the hook has begun and has no finalizer of ours any more: its targets are thawed. It may still exist. */
  isFree(name: string = 'h'): () => boolean {
    return () => {
      const hook = this.hook(name);
      if (hook === undefined) return true;
      const begun = hook.status?.containerExecutionHookStatuses !== undefined;
      return begun && hook.metadata?.finalizers?.includes(HOOK_FINALIZER) !== true;
    };
  }

  deleteHook(name: string): void {
    this.api.delete(executionHooks, { namespace: NAMESPACE, name }, {});
  }

  annotate(name: string, annotations: Readonly<Record<string, string>>): void {
    const body = { metadata: { annotations: { ...annotations } } };
    this.api.patch(executionHooks, { namespace: NAMESPACE, name }, { type: 'merge', body });
  }

  changePod(name: string, change: (pod: Pod) => void): void {
    const pod = copyOf(this.api.get(pods, { namespace: NAMESPACE, name })) as unknown as Pod;
    change(pod);
    this.api.replace(pods, pod, 'object');
  }

  restartContainer(pod: string, container: string): void {
    this.changePod(pod, ({ status }) => {
      const found = status?.containerStatuses?.find(({ name }) => name === container);
      if (found === undefined) throw new Error(`no container ${container}`);
      found.restartCount += 1;
      found.containerID = `sim://${pod}-${container}-${found.restartCount}`;
    });
  }

  removePod(name: string): void {
    this.api.delete(pods, { namespace: NAMESPACE, name }, {});
  }

  /** All Events as "reason: message". */
  events(): string[] {
    return this.api.list(events).map((event) => {
      const { reason, message } = event as unknown as { reason: string; message: string };
      return `${reason}: ${message}`;
    });
  }

  /** All commands that ran, in order, as "command pod/container". */
  commands(): string[] {
    return this.ran.map(({ command, place }) => `${command} ${place}`);
  }

  /** Lets time pass until `isSo` returns true. Throws if that takes longer than `withinMs`. */
  async eventually(what: string, isSo: () => boolean, withinMs: number = 120_000): Promise<void> {
    const endMs = this.world.elapsedMs + withinMs;
    let late = false;
    this.world.after(withinMs + 1, () => (late = true));
    await this.world.runUntil(() => isSo() || late, 1_000_000);
    if (!isSo()) throw new Error(`not within ${withinMs} ms (${endMs}): ${what}`);
  }

  #access(host: SimHost, pool: RunCommand['pool']): ContainerAccess {
    return {
      exec: (options) => this.#exec(host, pool, options),
      openExec: () => Promise.reject(new Error('no sessions in here')),
      network: {
        httpGet: () => Promise.reject(new Error('no network in here')),
        tcpConnect: () => Promise.reject(new Error('no network in here')),
      },
      secretsOf: () => this.secretsOf?.(host) ?? Promise.resolve([]),
    };
  }

  #exec(host: SimHost, pool: RunCommand['pool'], options: ExecOptions): Promise<ExecResult> {
    const place = `${options.pod}/${options.container ?? ''}`;
    const command = options.command.join(' ');
    this.ran.push({ atMs: this.world.elapsedMs, place, command, pool });
    const found =
      this.behaviours.get(`${command} ${place}`) ??
      this.behaviours.get(command) ??
      ({ exitCode: 0 } as const);
    const behaviour = typeof found === 'function' ? found() : found;
    return new Promise((resolve) => {
      const end = (ms: number, result: ExecResult): void => {
        host.timers.after(ms, () => {
          resolve(result);
        });
      };
      if (options.timeoutMs !== undefined) {
        end(options.timeoutMs, { outcome: 'unknown', cause: 'timedOut', reason: 'had not ended' });
      }
      if (behaviour === 'hangs') return;
      if ('lostAfterMs' in behaviour) {
        end(behaviour.lostAfterMs, { outcome: 'unknown', cause: 'lost', reason: 'it broke' });
        return;
      }
      if ('refused' in behaviour) {
        end(5, { outcome: 'failed', status: behaviour.refused });
        return;
      }
      const { exitCode, ms = 5, output = '' } = behaviour;
      if (output !== '') void options.onOutput?.('stdout', new TextEncoder().encode(output));
      end(ms, { outcome: 'exited', exitCode });
    });
  }
}
