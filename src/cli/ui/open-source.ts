import { nodePlatform } from '../../platform/node-platform.ts';
import type { CancelSignal, Timers } from '../../platform/platform.ts';
import type { BarStore } from '../../timeline/bar-store.ts';
import type { KubeOptions } from '../kube-connection.ts';

/** The options of `lifehook ui` and `lifehook runs`. */
export interface SourceOptions extends KubeOptions {
  readonly project?: string;
  /** State directory of the local cluster; false: read no cluster. */
  readonly cluster: string | false;
  readonly stateDir?: string;
  readonly records?: string;
}

/** A source of spans for the timeline. */
export interface OpenSource {
  readonly name: string;
  /** Resolves when every existing run was reported. */
  readonly listed: () => Promise<void>;
  /** Runs until the signal aborts. */
  readonly running: () => Promise<void>;
}

export interface Opening {
  readonly store: BarStore;
  readonly signal: AbortSignal;
}

interface Polled {
  readonly readNews: () => Promise<void>;
  readonly follow: (timers: Timers, signal: CancelSignal) => Promise<void>;
}

/** A source that polls files. */
export function polled(name: string, source: Polled, { signal }: Opening): OpenSource {
  return {
    name,
    listed: () => source.readNews(),
    running: () => source.follow(nodePlatform.timers, signal),
  };
}
