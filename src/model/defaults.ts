import type { HookPolicy } from './hook.ts';

/**
 * The default policy of a hook, per point of each lifecycle, as data. `retry.limit` does not count the retries
 * of the policy `Retry`: the run's own deadline ends them.
 */
export interface LifecycleDefaults<Point extends string> {
  readonly points: Readonly<Record<Point, HookPolicy>>;
  /** The field of the lifecycle's own schema with the deadline of a run; null: there is no deadline. */
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

/** The default of every lifecycle: one second before the first retry, doubled for each further one. */
const noRetry = { limit: 0, backoffSeconds: 1 };

const abort: HookPolicy = { timeoutSeconds: null, retry: noRetry, failurePolicy: 'Abort' };
const ignore: HookPolicy = { ...abort, failurePolicy: 'Ignore' };
const retry: HookPolicy = { ...abort, failurePolicy: 'Retry' };
/** A frozen application does not serve, so the default timeout is half a minute. */
const freeze: HookPolicy = { ...retry, timeoutSeconds: 30 };

export const lifecycleDefaults: DefaultsTable = {
  /**
   * The specification of the OCI runtime 1.3, runtime.md "Lifecycle": a failure up to poststart ends
   * the container; one of poststop is logged and the remaining hooks run. Our postexit is like poststop.
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
  /**
   * A failed postStart kills the container; a failed preStop is an event, and the container is stopped nevertheless.
   */
  pod: {
    points: { postStart: abort, preStop: ignore },
    deadline: 'terminationGracePeriodSeconds',
  },
  rollout: {
    points: { pre: retry, mid: retry, post: retry },
    deadline: 'progressDeadlineSeconds',
  },
  /**
   * Definite failures are retried until the deadline, then the snapshot is aborted and the
   * application thawed: `Retry` does both, the thaw being the cleanup step that undoes the freeze.
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
