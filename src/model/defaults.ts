import type { HookPolicy } from './hook.ts';

/**
 * What a hook gets that says nothing of it, per point of each lifecycle, as data. The retries of a policy `Retry` are not counted by `retry.limit`: the run's own deadline
 * ends them.
 */
export interface LifecycleDefaults<Point extends string> {
  readonly points: Readonly<Record<Point, HookPolicy>>;
  /** The field of the lifecycle's own schema that ends a run; null: nothing does. */
  readonly deadline: string | null;
}

export interface DefaultsTable {
  readonly container: LifecycleDefaults<ContainerPoint>;
  readonly pod: LifecycleDefaults<'postStart' | 'preStop'>;
  readonly rollout: LifecycleDefaults<'pre' | 'mid' | 'post'>;
  readonly snapshot: LifecycleDefaults<'preAction' | 'postAction'>;
  readonly pipeline: LifecycleDefaults<'before' | 'after'>;
}

type ContainerPoint =
  | 'precreate'
  | 'prestart'
  | 'createRuntime'
  | 'createContainer'
  | 'startContainer'
  | 'poststart'
  | 'postexit'
  | 'poststop';

/** Until a lifecycle says otherwise: a second before the first retry, doubled with each further one. */
const noRetry = { limit: 0, backoffSeconds: 1 };

const abort: HookPolicy = { timeoutSeconds: null, retry: noRetry, failurePolicy: 'Abort' };
const ignore: HookPolicy = { ...abort, failurePolicy: 'Ignore' };
const retry: HookPolicy = { ...abort, failurePolicy: 'Retry' };
/** A frozen application is a stopped one: a hook that says nothing gets half a minute. */
const freeze: HookPolicy = { ...retry, timeoutSeconds: 30 };

export const lifecycleDefaults: DefaultsTable = {
  /**
   * The specification of the OCI runtime 1.3, runtime.md "Lifecycle": a failure up to poststart ends
   * the container; one of poststop is logged and the remaining hooks run. Our postexit is as poststop.
   */
  container: {
    points: {
      precreate: abort,
      prestart: abort,
      createRuntime: abort,
      createContainer: abort,
      startContainer: abort,
      poststart: abort,
      postexit: ignore,
      poststop: ignore,
    },
    deadline: null,
  },
  /** A failed postStart kills the container; a failed preStop is an event, and the stop goes on. */
  pod: {
    points: { postStart: abort, preStop: ignore },
    deadline: 'terminationGracePeriodSeconds',
  },
  rollout: {
    points: { pre: retry, mid: retry, post: retry },
    deadline: 'progressDeadlineSeconds',
  },
  /**
   * Definite failures are tried again until the deadline, then the snapshot is given up and the
   * application thawed: `Retry` is both, the thaw being the cleanup step that undoes the freeze.
   */
  snapshot: {
    points: { preAction: freeze, postAction: freeze },
    deadline: 'expirationSeconds',
  },
  pipeline: {
    points: { before: abort, after: abort },
    deadline: null,
  },
};
