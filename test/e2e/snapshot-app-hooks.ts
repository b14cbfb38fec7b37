/**
 * A scripted hook controller, as the snapshot controller sees it: it writes statuses and runs nothing. The template of
 * a hook selects its behaviour.
 */
import { isTerminating } from '../../src/controller/finalizers.ts';
import { microTimeText } from '../../src/controller/kube-time.ts';
import { isReason } from '../../src/kube/api-error.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { getOrNull } from '../../src/kube/get-or-null.ts';
import { pods } from '../../src/kube/resources.ts';
import {
  type ContainerStatus,
  type ExecutionHook,
  type ExecutionHookStatus,
  executionHooks,
  type ReleaseCause,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { withCutToken } from '../../src/lifecycles/snapshot/hook/ask-after-cut.ts';
import { CUT_RELEASE, HOOK_FINALIZER, RELEASE } from '../../src/lifecycles/snapshot/names.ts';

/** Behaviour of the hooks of one template. */
export interface HookManners {
  /** Result of the preAction; null: the preAction never ends. */
  readonly pre?: boolean | null;
  readonly post?: boolean;
  /** Whether the hook expires now. Called repeatedly while the hook is frozen. */
  readonly isExpired?: () => boolean;
  /** Milliseconds that the thaw takes. */
  readonly thawMs?: number;
}

const PAUSE_MS = 15;

export class HookHand implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #manners: Readonly<Record<string, HookManners>>;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** The actions in order: "freeze nightly-hook-0", "thaw nightly-hook-0 Cut". */
  readonly log: string[] = [];

  constructor(
    client: KubeClient,
    namespace: string,
    manners: Readonly<Record<string, HookManners>>,
  ) {
    this.#client = client;
    this.#namespace = namespace;
    this.#manners = manners;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const { items } = await this.#client.list(executionHooks, { namespace: this.#namespace });
      for (const hook of items) {
        await this.#look(hook).catch((error: unknown) => {
          if (!isReason(error, 'Conflict', 'NotFound')) throw error;
        });
      }
      await new Promise((go) => {
        setTimeout(go, PAUSE_MS);
      });
    }
  }

  async #look(hook: ExecutionHook): Promise<void> {
    const { status = {} } = hook;
    const manner = this.#manners[hook.spec.executionHookTemplateName ?? ''] ?? {};
    if (status.containerExecutionHookStatuses === undefined) {
      if (!isTerminating(hook)) await this.#freeze(hook, manner);
    } else if (status.release === undefined) {
      await this.#release(hook, manner);
    } else if (status.postActionSucceed === undefined) {
      await this.#thaw(hook, manner);
    } else if (status.postActionSucceed) {
      await this.#removeFinalizer(hook);
    }
  }

  async #freeze(hook: ExecutionHook, { pre = true }: HookManners): Promise<void> {
    const finalizers = [...new Set([...(hook.metadata?.finalizers ?? []), HOOK_FINALIZER])];
    const held = await this.#patch(hook, { finalizers });
    const targets = await this.#targetsOf(hook);
    const at = microTimeText(Date.now());
    const error = { time: at, message: 'it would not freeze' };
    const outcome = pre === null ? {} : { actionSucceed: pre };
    const preActionStatus = {
      actionTimestamp: at,
      ...outcome,
      ...(pre === false ? { error } : {}),
    };
    await this.#write(held, {
      containerExecutionHookStatuses: targets.map((each) => ({ ...each, preActionStatus })),
      ...(pre === null ? {} : { preActionSucceed: pre }),
    });
    // Only now, because a write that conflicts is repeated.
    this.#report(hook, 'freeze');
  }

  async #release(hook: ExecutionHook, manner: HookManners): Promise<void> {
    const cause = causeOf(hook, manner);
    if (cause === null) return;
    const release = { cause, at: microTimeText(Date.now()) };
    const status = { ...hook.status, release };
    await this.#write(hook, withCutToken(status, { hook, round: { kind: 'none' } }));
    this.#report(hook, 'thaw', cause);
  }

  async #thaw(hook: ExecutionHook, { post = true, thawMs = 0 }: HookManners): Promise<void> {
    const { status = {} } = hook;
    const at = status.release?.at ?? '';
    if (Date.now() - Date.parse(at) < thawMs) return;
    const postActionStatus = { actionTimestamp: at, actionSucceed: post };
    const by = post ? { thawedBy: 'post' as const } : {};
    const targets = status.containerExecutionHookStatuses ?? [];
    await this.#write(hook, {
      preActionSucceed: false,
      ...status,
      postActionSucceed: post,
      containerExecutionHookStatuses: targets.map((each) => ({ ...each, ...by, postActionStatus })),
    });
    this.#report(hook, 'thawed');
  }

  async #removeFinalizer(hook: ExecutionHook): Promise<void> {
    const present = hook.metadata?.finalizers ?? [];
    if (!present.includes(HOOK_FINALIZER)) return;
    await this.#patch(hook, { finalizers: present.filter((each) => each !== HOOK_FINALIZER) });
  }

  #patch(
    { metadata = {} }: ExecutionHook,
    { finalizers }: { finalizers: string[] },
  ): Promise<ExecutionHook> {
    const { name = '', resourceVersion = '' } = metadata;
    const body = { metadata: { resourceVersion, finalizers } };
    const key = { namespace: this.#namespace, name };
    return this.#client.patch(executionHooks, key, { type: 'merge', body });
  }

  async #write(hook: ExecutionHook, status: ExecutionHookStatus): Promise<void> {
    await this.#client.replaceStatus(executionHooks, { ...hook, status });
  }

  #report({ metadata }: ExecutionHook, ...words: readonly string[]): void {
    const [verb = '', ...rest] = words;
    this.log.push([verb, metadata?.name ?? '', ...rest].join(' '));
  }

  async #targetsOf({ spec }: ExecutionHook): Promise<ContainerStatus[]> {
    const found = (spec.podContainerNamesList ?? []).map(async ({ podName, containerNames }) => {
      const key = { namespace: this.#namespace, name: podName };
      const pod = await getOrNull(this.#client, pods, key);
      const statuses = pod?.status?.containerStatuses ?? [];
      return statuses
        .filter(({ name }) => containerNames.includes(name))
        .map(({ name: containerName, containerID = '', restartCount }) => {
          const podUID = pod?.metadata?.uid ?? '';
          return { podName, containerName, podUID, containerID, restartCount };
        });
    });
    return (await Promise.all(found)).flat();
  }
}

function causeOf(hook: ExecutionHook, { isExpired }: HookManners): ReleaseCause | null {
  const { status = {}, metadata = {} } = hook;
  const { annotations = {} } = metadata;
  if (annotations[RELEASE] !== undefined) return 'Human';
  if (annotations[CUT_RELEASE] !== undefined) return 'Cut';
  if (isTerminating(hook)) return 'Deleted';
  if (status.preActionSucceed === false) return 'PreFailed';
  return isExpired?.() === true ? 'Expired' : null;
}
