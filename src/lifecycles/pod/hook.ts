/**
 * Converts a container's `lifecycle.postStart` or `preStop` to a hook of the engine. A hook that cannot be resolved,
 * for example because of an unknown port name, is no error of the pod. It fails with a reason when it is about to run
 * (POD-K16, POD-K18, POD-K24).
 */
import type { Container, HTTPGetAction, LifecycleHandler, Pod } from 'kubernetes-types/core/v1.js';

import type { Handler, Hook, HookPolicy } from '../../model/hook.ts';
import { httpTarget } from './probe.ts';

export type PodPoint = 'postStart' | 'preStop';

export interface HookFacts {
  readonly pod: Pod;
  readonly container: Container;
  readonly point: PodPoint;
  /** null: the pod has no address yet. */
  readonly podIp: string | null;
  /** True: the node's feature gate PodLifecycleSleepAction is on (POD-SL14, POD-K31). */
  readonly sleepEnabled: boolean;
}

export interface ContainerHook extends Hook {
  readonly target: {
    readonly namespace: string;
    readonly pod: string;
    readonly container: string;
  };
}

export type PodHook =
  | { readonly kind: 'none' }
  | { readonly kind: 'hook'; readonly hook: ContainerHook }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Annotation of a pod: the status that its HTTP hooks expect of a response; absent: any status (POD-K14). */
export const EXPECT_ANNOTATION = 'lifehook.dev/http-hook-expect';

/**
 * Retries and a timeout, which Kubernetes does not have. An HTTP postStart hook may run before its server listens, and
 * a server that never answers would block the container for ever (POD-K15, POD-K23).
 */
const POST_START_HTTP: HookPolicy = {
  timeoutSeconds: 30,
  retry: { limit: 4, backoffSeconds: 0.5 },
  failurePolicy: 'Abort',
};
const ONCE: HookPolicy = {
  timeoutSeconds: null,
  retry: { limit: 0, backoffSeconds: 0 },
  failurePolicy: 'Abort',
};

export function podHook(facts: HookFacts): PodHook {
  const { container, point, pod } = facts;
  const handler = container.lifecycle?.[point];
  if (handler === undefined) return { kind: 'none' };
  const converted = convert(handler, facts);
  if (typeof converted === 'string') return { kind: 'invalid', reason: converted };
  const policy = point === 'postStart' && converted.kind === 'httpGet' ? POST_START_HTTP : ONCE;
  const { namespace = '', name = '' } = pod.metadata ?? {};
  return {
    kind: 'hook',
    hook: {
      name: point,
      target: { namespace, pod: name, container: container.name },
      handler: converted,
      policy,
      source: {
        kind: 'object',
        object: `Pod ${namespace}/${name}, container ${container.name}, lifecycle.${point}`,
      },
    },
  };
}

/** The handler of a hook, or the reason why the hook cannot run. */
function convert({ exec, httpGet, sleep }: LifecycleHandler, facts: HookFacts): Handler | string {
  if (exec !== undefined) {
    const { namespace = '', name: pod = '' } = facts.pod.metadata ?? {};
    const { command = [] } = exec;
    return { kind: 'exec', command, namespace, pod, container: facts.container.name };
  }
  if (httpGet !== undefined) return convertHttp(httpGet, facts);
  if (sleep === undefined) return 'invalid handler: it is none of exec, httpGet and sleep';
  return { kind: 'sleep', seconds: facts.sleepEnabled ? sleep.seconds : 0 };
}

function convertHttp(httpGet: HTTPGetAction, facts: HookFacts): Handler | string {
  const { container, podIp, pod } = facts;
  const target = httpTarget(httpGet, { container, podIp, agent: 'kube-lifecycle/1.37' });
  if (typeof target === 'string') return target;
  return { ...target, expect: pod.metadata?.annotations?.[EXPECT_ANNOTATION] ?? 'any' };
}
